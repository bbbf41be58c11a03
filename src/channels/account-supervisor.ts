/** Keeps one account connected: connects, and reconnects after every failure. */
import {
  asPincerError,
  type Channel,
  type ChannelConnection,
  type ChannelHost,
  type ChannelLog,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import { reasonOf } from "./delivery-step.ts";
import { longestAskedMs, retryDelay } from "./retry-delay.ts";
import { failureOf } from "./send-row.ts";
import { TimeLimitError, withinTime } from "./within-time.ts";

export interface AccountState {
  channel: string;
  accountId: string;
  /** waiting: it retries by itself. broken: a person must act, even if it is retried now and then. */
  state: "connecting" | "connected" | "waiting" | "stopped" | "broken";
  /** Why it is not connected. */
  reason: string | undefined;
  since: string;
}

export interface AccountSupervisor {
  connection(): ChannelConnection | undefined;
  /** Drops the current connection, if any, and makes a new one. Safe at any time. */
  renew(reason: string): void;
  /** Resolves when the connection is closed and no attempt is running. Never throws. */
  done: Promise<void>;
}

/** The host's methods for each connection, without those that belong to one connection. */
export type HostParts = Omit<ChannelHost, "lost" | "signal" | "alive" | "trouble" | "session">;

/**
 * Something arrived over the current connection, or asking for it failed. `message`: one came and is stored, or was refused for what
 * it is. `unstored`: one came and could not be stored.
 */
export type AccountSign =
  | { type: "alive" }
  | { type: "message"; sentAt: number }
  | { type: "unstored" }
  | { type: "trouble"; reason: string };

/** Reconnect at least this often: once a network recovers, people wait no longer than half a minute. */
const reconnect = { firstMs: 1000, mostMs: 25_000 };
/** Retrying often does not help against a refusal, but the network may lift it. */
const refusedMs = 300_000;
/** How long an account may take to close. Its signal was aborted before; the next connection does not wait longer. */
const closeTimeoutMs = 3000;
/** A connection that lasted this long was good: the next failure counts as the first. */
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

/** The current connection, and how to drop it. */
interface Slot {
  connection: ChannelConnection | undefined;
  renew: ((reason: string) => void) | undefined;
}

async function supervise(parts: Parts, slot: Slot): Promise<void> {
  const { clock, random, signal, onState } = parts;
  let session: NonNullable<ChannelHost["session"]> = "resume";
  for (let failures = 0; !signal.aborted;) {
    onState("connecting");
    const begunAt = clock.monotonic();
    const { ending, connection } = await oneConnection(parts, slot, session);
    const closed = closeInTime(parts, connection);
    if (signal.aborted) {
      await closed;
      break;
    }
    const { how, reason } = ending;
    const tookMs = clock.monotonic() - begunAt;
    failures = how === "renewed" || (how === "lost" && tookMs >= steadyMs) ? 1 : failures + 1;
    // A session that was silent, or failed twice, is not resumed.
    session = how === "renewed" || failures > 1 ? "anew" : "resume";
    onState(how === "refused" ? "broken" : "waiting", reason);
    await closed;
    // Aborted when the host stops.
    await clock.sleep(pauseAfter(ending, { tookMs, failures, random }), signal).catch(() => undefined);
  }
  onState("stopped");
}

function pauseAfter(
  { how, retryAfterMs: askedMs = 0 }: Ending,
  { tookMs, failures, random }: { tookMs: number; failures: number; random: () => number },
): number {
  const retryAfterMs = Math.min(askedMs, longestAskedMs);
  if (how === "refused") return Math.max(refusedMs, retryAfterMs);
  const pause = retryDelay({ ...reconnect, tries: failures, random });
  // The time of an attempt that hung counts as waiting time.
  const waited = how === "failed" ? tookMs : 0;
  return Math.max(pause - waited, Math.min(pause, reconnect.firstMs), retryAfterMs);
}

/** lost: it ended by itself. renewed: we dropped it. failed: it never connected. refused: the network rejects it. */
interface Ending {
  how: "lost" | "renewed" | "failed" | "refused";
  reason: string;
  /** How long the network wants us to wait. */
  retryAfterMs?: number | undefined;
}

/** From connecting to the end of the connection; the caller must close it. */
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
  /** Signs of a dropped connection say nothing about the current one. */
  const note = (sign: AccountSign) => {
    if (!own.signal.aborted) onSign?.(sign);
  };
  try {
    const connecting = channel.connect(config, {
      ...host,
      session,
      async receive(message) {
        try {
          const received = await host.receive(message);
          note({ type: "message", sentAt: message.timestamp });
          return received;
        } catch (error) {
          const isUnstored = asPincerError(error).domain === "storage";
          note(isUnstored ? { type: "unstored" } : { type: "message", sentAt: message.timestamp });
          throw error;
        }
      },
      alive: () => note({ type: "alive" }),
      trouble: (reason) => note({ type: "trouble", reason }),
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

/** Never throws: a connection that does not close in time is abandoned. */
async function closeInTime({ clock, log }: Parts, connection: ChannelConnection | undefined): Promise<void> {
  if (!connection) return;
  // Not aborted when everything stops: the host decides how long it waits.
  const stop = new AbortController().signal;
  await withinTime({ clock, ms: closeTimeoutMs, stop }, () => connection.close()).catch((error: unknown) =>
    log.warn(`closing failed: ${reasonOf(error)}`),
  );
}

/** Fetches what arrived while we were offline, with retries; new messages do not wait for it. Never throws. */
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
      // Aborted when the connection ends: the next one starts over.
      await clock
        .sleep(retryDelay({ ...reconnect, tries, random, retryAfterMs }), signal)
        .catch(() => undefined);
    }
  }
}

/** The caller has stopped waiting for this connection. */
function closeIfLate(connecting: Promise<ChannelConnection>, signal: AbortSignal): void {
  const close = async (connection: ChannelConnection) => {
    if (signal.aborted) await connection.close();
  };
  // A caller in time has seen the failure; a later failure concerns nobody.
  connecting.then(close).catch(() => undefined);
}
