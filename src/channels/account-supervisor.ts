/** Keeps one account connected: connects, waits, and connects again, however often that fails. */
import type { Channel, ChannelConnection, ChannelHost, ChannelLog } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import { reasonOf } from "./delivery-step.ts";
import { retryDelay } from "./retry-delay.ts";
import { failureOf } from "./send-row.ts";
import { TimeLimitError, withinTime } from "./within-time.ts";

export interface AccountState {
  channel: string;
  accountId: string;
  /** waiting: it tries again by itself. broken: somebody must do something, whether or not it is tried again now and then. */
  state: "connecting" | "connected" | "waiting" | "stopped" | "broken";
  /** In words, where it is not connected. */
  reason: string | undefined;
  since: string;
}

export interface AccountSupervisor {
  connection(): ChannelConnection | undefined;
  /** Gives up the connection that is in use, if there is one, and makes another. Safe at any time. */
  renew(reason: string): void;
  /** Resolves when the connection is closed and nothing is tried any more. Never throws. */
  done: Promise<void>;
}

/** What the host gives to each connection, less what belongs to the connection itself. */
export type HostParts = Omit<ChannelHost, "lost" | "signal" | "alive" | "session">;

/** Something came in over the connection that is in use. */
export type AccountSign = { type: "alive" } | { type: "message"; sentAt: number };

/** So often at least is it tried: once a network is well again, people wait no longer than half a minute. */
const reconnect = { firstMs: 1000, mostMs: 25_000 };
/** What a network refuses is not mended by asking often, but it may be mended on its side. */
const refusedMs = 300_000;
/** So long may an account take to close; its signal has told it before, and the next connection does not wait any longer. */
const closeTimeoutMs = 3000;
/** A connection that held so long was a good one: the next failure counts as the first. */
const steadyMs = 60_000;

export function superviseAccount(parts: {
  channel: Channel;
  config: unknown;
  host: HostParts;
  clock: Clock;
  random: () => number;
  log: ChannelLog;
  say: Say;
  connectTimeoutMs: number;
  signal: AbortSignal;
  onState(state: AccountState["state"], reason?: string): void;
  /** Must not throw. */
  onSign?(sign: AccountSign): void;
}): AccountSupervisor {
  const slot: Slot = { connection: undefined, renew: undefined };
  return {
    connection: () => slot.connection,
    renew: (reason) => slot.renew?.(reason),
    done: supervise(parts, slot),
  };
}

type Parts = Parameters<typeof superviseAccount>[0];

/** The connection in use, and how to give it up. */
interface Slot {
  connection: ChannelConnection | undefined;
  renew: ((reason: string) => void) | undefined;
}

async function supervise(parts: Parts, slot: Slot): Promise<void> {
  const { clock, random, signal, onState } = parts;
  let session: NonNullable<ChannelHost["session"]> = "resume";
  for (let failures = 0; !signal.aborted;) {
    onState("connecting");
    const begunAt = clock.now();
    const { ending, connection } = await oneConnection(parts, slot, session);
    const closed = closeInTime(parts, connection);
    if (signal.aborted) {
      await closed;
      break;
    }
    const { how, reason } = ending;
    const tookMs = clock.now() - begunAt;
    failures = how === "renewed" || (how === "lost" && tookMs >= steadyMs) ? 1 : failures + 1;
    // A session that was silent, or broke twice, is not worth going on with.
    session = how === "renewed" || failures > 1 ? "anew" : "resume";
    onState(how === "refused" ? "broken" : "waiting", reason);
    await closed;
    // Aborted when the host stops.
    await clock.sleep(pauseAfter(ending, { tookMs, failures, random }), signal).catch(() => undefined);
  }
  onState("stopped");
}

function pauseAfter(
  { how, retryAfterMs = 0 }: Ending,
  { tookMs, failures, random }: { tookMs: number; failures: number; random: () => number },
): number {
  if (how === "refused") return Math.max(refusedMs, retryAfterMs);
  const pause = retryDelay({ ...reconnect, tries: failures, random });
  // Time spent on an attempt that hung has been waited already.
  const waited = how === "failed" ? tookMs : 0;
  return Math.max(pause - waited, Math.min(pause, reconnect.firstMs), retryAfterMs);
}

/** lost: by itself. renewed: it was given up here. failed: there was none. refused: the network will not have it. */
interface Ending {
  how: "lost" | "renewed" | "failed" | "refused";
  reason: string;
  /** The network wants to be left alone so long. */
  retryAfterMs?: number | undefined;
}

/** From connecting to the end of the connection, which nobody uses any more and somebody must close. */
async function oneConnection(
  parts: Parts,
  slot: Slot,
  session: NonNullable<ChannelHost["session"]>,
): Promise<{ ending: Ending; connection: ChannelConnection | undefined }> {
  const { channel, config, host, clock, connectTimeoutMs, signal, onState, onSign } = parts;
  const own = new AbortController();
  const onStop = () => own.abort(signal.reason);
  signal.addEventListener("abort", onStop, { once: true });
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
  const lose = (reason: string) => end({ how: "lost", reason });
  own.signal.addEventListener("abort", () => lose("stopped"), { once: true });
  let connection: ChannelConnection | undefined;
  /** What a connection that was given up still says proves nothing about the one in use. */
  const note = (sign: AccountSign) => {
    if (!own.signal.aborted) onSign?.(sign);
  };
  try {
    const connecting = channel.connect(config, {
      ...host,
      session,
      async receive(message) {
        note({ type: "message", sentAt: message.timestamp });
        return host.receive(message);
      },
      alive: () => note({ type: "alive" }),
      lost: lose,
      signal: own.signal,
    });
    closeIfLate(connecting, own.signal);
    connection = await withinTime({ clock, ms: connectTimeoutMs, stop: own.signal }, () => connecting);
    slot.connection = connection;
    slot.renew = (reason) => end({ how: "renewed", reason });
    onState("connected");
    void catchUp(parts, connection, own.signal);
    return { ending: await ended, connection };
  } catch (error) {
    return { ending: endingOf(error, parts), connection };
  } finally {
    slot.connection = undefined;
    slot.renew = undefined;
    own.abort();
    signal.removeEventListener("abort", onStop);
  }
}

function endingOf(error: unknown, { say, connectTimeoutMs }: Parts): Ending {
  if (error instanceof TimeLimitError) {
    const reason = say("channel.connect-timeout", { seconds: Math.round(connectTimeoutMs / 1000) });
    return { how: "failed", reason };
  }
  const { code, retryAfterMs } = failureOf(error);
  return { how: code === "rejected" ? "refused" : "failed", reason: reasonOf(error), retryAfterMs };
}

/** Never throws: whatever does not close is left behind. */
async function closeInTime({ clock, log }: Parts, connection: ChannelConnection | undefined): Promise<void> {
  if (!connection) return;
  // Also when everything stops: the host decides how long it waits for that.
  const stop = new AbortController().signal;
  await withinTime({ clock, ms: closeTimeoutMs, stop }, () => connection.close()).catch((error: unknown) =>
    log.warn(`closing failed: ${reasonOf(error)}`),
  );
}

/** What came while nobody listened, asked for until it was had; what is new does not wait for it. Never throws. */
async function catchUp(
  { clock, random, log }: Parts,
  connection: ChannelConnection,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; connection.backfill && !signal.aborted; tries++) {
    try {
      return await connection.backfill(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn(`older messages could not be fetched: ${reasonOf(error)}`);
      const { retryAfterMs } = failureOf(error);
      // Aborted when the connection ends: the next one asks anew.
      await clock
        .sleep(retryDelay({ ...reconnect, tries, random, retryAfterMs }), signal)
        .catch(() => undefined);
    }
  }
}

/** Whoever was waiting for it has gone. */
function closeIfLate(connecting: Promise<ChannelConnection>, signal: AbortSignal): void {
  const close = async (connection: ChannelConnection) => {
    if (signal.aborted) await connection.close();
  };
  // Whoever waited in time has heard of the failure; nobody is left to hear of a later one.
  connecting.then(close).catch(() => undefined);
}
