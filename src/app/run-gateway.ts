/**
 * `pincer gateway run`: the gateway in this process, until somebody stops it or the disk is lost. If a config change
 * needs it, it restarts in the same process.
 */
import { asPincerError } from "@pincer/sdk";
import { locateHome } from "../config/home.ts";
import { systemClock, timestamp, type Clock } from "../infra/clock.ts";
import { asSentence, sayError } from "../infra/failure.ts";
import type { OpenHomeParts } from "../storage/home/open-home.ts";
import { catchFaults, type Faults, type FaultSource } from "../operate/service/catch-faults.ts";
import { endServing } from "../operate/service/end-serving.ts";
import {
  createServiceRecords,
  type ServiceMode,
  type ServiceRecords,
} from "../operate/service/service-record.ts";
import { welcomeLines } from "../operate/service/welcome.ts";
import { checkRunFlags } from "../operate/service/check-run-flags.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway, GatewayExtras, GatewayOptions, StopAsk } from "./gateway.ts";
import { httpReason } from "../gateway/gauges/judge-health.ts";
import type { GatewayLog } from "../gateway/logs/gateway-log.ts";
import { flagValues, flagWishes, type RunFlags } from "../operate/service/run-flags.ts";

export interface RunGatewayParts extends OpenHomeParts {
  version: string;
  signal: AbortSignal;
  /** One line for people who watch the terminal. */
  tell(message: string): void;
  mode: ServiceMode;
  /** What it was started with, for starting it again. */
  arguments: string[];
  clock?: Clock;
  source?: FaultSource;
}

export interface RunOptions extends Omit<GatewayOptions, "flags" | "wishes"> {
  flags?: RunFlags;
}

/** Resolves to the exit status: 0 when it was stopped, 1 when it had to stop. Throws PincerError when it cannot start. */
export async function runGateway(
  parts: RunGatewayParts,
  { flags = {}, ...rest }: RunOptions,
  extras: GatewayExtras = {},
): Promise<number> {
  const { redactor, source = process, mode } = parts;
  const options = withFlags(rest, flags);
  await checkRunFlags(parts, options);
  const home = locateHome(parts.environment);
  const records = createServiceRecords(home);
  const faults = catchFaults({ source, redactor, file: home.gatewayLogFile });
  let isReady = false;
  // In the background nobody watches: once it runs, what it has to say is in its log.
  const tell = (message: string) => (isReady && mode === "background" ? undefined : parts.tell(message));
  try {
    let gateway = await startFirst({ ...parts, tell }, { ...options, checksProfile: true }, extras);
    for (let starts = 1; gateway; starts++) {
      await settleIn(gateway, { ...parts, tell }, records, starts);
      isReady = true;
      const ended = await untilEnded(gateway, parts.signal, faults);
      if (ended.type === "failed") {
        // Nothing can be relied on any more, so nothing is finished: what is on the disk is what the next start goes on with.
        tell(parts.say(ended.text, { reason: ended.reason }));
        return 1;
      }
      const why = ended.type === "restart" ? ended.why.join(", ") : "";
      const words = why
        ? parts.say("service.restarting.config", { keys: why })
        : parts.say("gateway.stopping");
      gateway.log.note(words);
      tell(words);
      const trouble = await endServing(gateway);
      if (trouble !== undefined) {
        tell(parts.say("service.fault", { reason: trouble }));
        return 1;
      }
      gateway =
        ended.type === "restart" && !gateway.isToEnd()
          ? await startAgain({ ...parts, tell }, options, extras, gateway.log)
          : undefined;
    }
    tell(parts.say("gateway.has-stopped"));
    return 0;
  } finally {
    await records.clear();
    faults.forget();
  }
}

const withFlags = (options: GatewayOptions, flags: RunFlags): GatewayOptions => {
  const values = flagValues(flags);
  return {
    ...options,
    isServed: true,
    ...(Object.keys(values).length > 0 ? { flags: values } : {}),
    wishes: flagWishes(flags),
  };
};

/** Writes down that it serves, and says so. */
async function settleIn(
  gateway: Gateway,
  parts: RunGatewayParts,
  records: ServiceRecords,
  starts: number,
): Promise<void> {
  const { say, tell, version, mode, clock = systemClock } = parts;
  const address = gateway.address?.();
  const accounts = gateway.accounts().filter(({ enabled }) => enabled);
  const names = accounts.map(({ channel, accountId }) => `${channel}/${accountId}`);
  const facts = {
    channels: [...new Set(accounts.map(({ channel }) => channel))],
    startedAt: timestamp(clock),
    version,
    address: address ?? null,
    port: address === undefined ? null : portOf(address),
    mode,
    arguments: parts.arguments,
  };
  // Without the record `gateway status` knows less; that is no reason not to serve.
  const write = (known: typeof facts) =>
    records.write(known).catch((error: unknown) => tell(sayError(asPincerError(error), say).message));
  await write(facts);
  const trouble = gateway.httpTrouble?.();
  if (trouble) {
    tell(say("gateway.not-served", { reason: httpReason(trouble, say) }));
    gateway.onServed?.((served) => void write({ ...facts, address: served, port: portOf(served) }));
  }
  const channels = names.join(", ") || "–";
  const ready = say("gateway.ready", { pid: process.pid, socket: gateway.socket, channels });
  gateway.log.note(ready);
  tell(ready);
  // The link must not be in a log, and signed-in browsers need none.
  if (mode !== "foreground" || starts > 1) return;
  const link = await gateway.signInLink?.().catch(() => undefined);
  const shown = { address, isAwaited: trouble !== undefined, link, model: gateway.model(), channels: names };
  for (const line of welcomeLines(shown, say)) tell(line);
}

const portOf = (address: string): number => {
  const { port, protocol } = new URL(address);
  return port ? Number(port) : protocol === "https:" ? 443 : 80;
};

type Ended = StopAsk | { type: "failed"; text: "gateway.lost-disk" | "service.fault"; reason: string };

const untilEnded = (gateway: Gateway, signal: AbortSignal, faults: Faults): Promise<Ended> =>
  Promise.race<Ended>([
    gateway.failed.then(({ message }) => ({ type: "failed", text: "gateway.lost-disk", reason: message })),
    faults.happened.then((reason) => ({ type: "failed", text: "service.fault", reason })),
    gateway.stopAsked,
    untilAborted(signal).then(() => ({ type: "stop" })),
  ]);

/**
 * Tries until it serves again: if a config change prevents it (a port that is taken), the next try uses the corrected
 * config. Meanwhile nothing is lost: the networks keep what was not acknowledged. Undefined when it was told to stop.
 */
/**
 * Waits for room on a full disk, as a running gateway does. In the background somebody waits for it to have started, and is told at once.
 * Undefined where it was stopped before.
 */
async function startFirst(
  parts: RunGatewayParts,
  options: GatewayOptions,
  extras: GatewayExtras,
): Promise<Gateway | undefined> {
  const { clock = systemClock, signal, say, tell, mode } = parts;
  while (!signal.aborted) {
    try {
      return await createGateway(parts, options, extras);
    } catch (error) {
      const problem = asPincerError(error);
      if (problem.code !== "storage/full" || mode === "background") throw error;
      const { message } = sayError(problem, say);
      tell(say("service.waits-for-room", { reason: asSentence(message), seconds: roomPauseMs / 1000 }));
    }
    await clock.sleep(roomPauseMs, signal).catch(() => undefined);
  }
  return undefined;
}

const roomPauseMs = 10_000;

async function startAgain(
  parts: RunGatewayParts,
  options: GatewayOptions,
  extras: GatewayExtras,
  /** Of the one that has stopped: in the background there is no other way to be heard. */
  log: GatewayLog,
): Promise<Gateway | undefined> {
  const { clock = systemClock, signal, say } = parts;
  for (let pause = 1000; !signal.aborted; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await createGateway(parts, options, extras);
    } catch (error) {
      const { message, hint } = sayError(asPincerError(error), say);
      const reason = hint ? `${asSentence(message)} ${hint}` : message;
      log.error(say("service.not-again", { reason, seconds: pause / 1000 }));
      log.close();
    }
    await clock.sleep(pause, signal).catch(() => undefined);
  }
  return undefined;
}

const longestPauseMs = 30_000;

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
