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
  /** Resolves when the connection is closed and nothing is tried any more. Never throws. */
  done: Promise<void>;
}

/** What the host gives to each connection, less what belongs to the connection itself. */
export type HostParts = Omit<ChannelHost, "lost" | "signal" | "alive">;

/** Something came in over the connection that is in use. */
export type AccountSign = { type: "alive" } | { type: "message"; sentAt: number };

const reconnect = { firstMs: 1000, mostMs: 300_000 };
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
  let connection: ChannelConnection | undefined;
  return {
    connection: () => connection,
    done: supervise(parts, (next) => (connection = next)),
  };
}

type Parts = Parameters<typeof superviseAccount>[0];

async function supervise(
  parts: Parts,
  use: (connection: ChannelConnection | undefined) => void,
): Promise<void> {
  const { clock, random, signal, onState } = parts;
  for (let failures = 0; !signal.aborted;) {
    onState("connecting");
    const connectedAt = clock.now();
    const { ending, connection } = await oneConnection(parts, use);
    const closed = closeInTime(parts, connection);
    if (signal.aborted) {
      await closed;
      break;
    }
    failures = ending.wasConnected && clock.now() - connectedAt >= steadyMs ? 1 : failures + 1;
    // What the network refuses is not mended by asking often, but it may be mended on its side.
    const { isRefused, reason } = ending;
    const delay = isRefused ? reconnect.mostMs : retryDelay({ ...reconnect, tries: failures, random });
    onState(isRefused ? "broken" : "waiting", reason);
    await closed;
    // Aborted when the host stops.
    await clock.sleep(delay, signal).catch(() => undefined);
  }
  onState("stopped");
}

interface Ending {
  reason: string;
  wasConnected: boolean;
  isRefused: boolean;
}

/** From connecting to the end of the connection, which nobody uses any more and somebody must close. */
async function oneConnection(
  { channel, config, host, clock, log, say, connectTimeoutMs, signal, onState, onSign }: Parts,
  use: (connection: ChannelConnection | undefined) => void,
): Promise<{ ending: Ending; connection: ChannelConnection | undefined }> {
  const own = new AbortController();
  const onStop = () => own.abort(signal.reason);
  signal.addEventListener("abort", onStop, { once: true });
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
  own.signal.addEventListener("abort", () => lose("stopped"), { once: true });
  let connection: ChannelConnection | undefined;
  /** What a connection that was given up still says proves nothing about the one in use. */
  const note = (sign: AccountSign) => {
    if (!own.signal.aborted) onSign?.(sign);
  };
  try {
    const connecting = channel.connect(config, {
      ...host,
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
    use(connection);
    onState("connected");
    catchUp(connection, own.signal, log);
    const reason = await lost;
    return { ending: { reason, wasConnected: true, isRefused: false }, connection };
  } catch (error) {
    const isRefused = failureOf(error).code === "rejected";
    const reason =
      error instanceof TimeLimitError
        ? say("channel.connect-timeout", { seconds: Math.round(connectTimeoutMs / 1000) })
        : reasonOf(error);
    return { ending: { reason, wasConnected: false, isRefused }, connection };
  } finally {
    use(undefined);
    own.abort();
    signal.removeEventListener("abort", onStop);
  }
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

/** What came while nobody listened; new messages do not wait for it. */
function catchUp(connection: ChannelConnection, signal: AbortSignal, log: ChannelLog): void {
  if (!connection.backfill) return;
  (async () => connection.backfill?.(signal))().catch((error: unknown) => {
    if (!signal.aborted) log.warn(`older messages could not be fetched: ${reasonOf(error)}`);
  });
}

/** Whoever was waiting for it has gone. */
function closeIfLate(connecting: Promise<ChannelConnection>, signal: AbortSignal): void {
  const close = async (connection: ChannelConnection) => {
    if (signal.aborted) await connection.close();
  };
  // Whoever waited in time has heard of the failure; nobody is left to hear of a later one.
  connecting.then(close).catch(() => undefined);
}
