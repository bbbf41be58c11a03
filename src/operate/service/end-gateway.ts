/**
 * Stops the gateway of this home: asks it first, and signals its process only if it does not answer and is certainly
 * the recorded one.
 */
import { asPincerError } from "@pincer/sdk";
import { locateHome } from "../../config/home.ts";
import { untilGatewayHasEnded } from "../../gateway/gateway-lock.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import type { ConnectToGateway, GatewayDoorParts } from "../../gateway/connect-to-gateway.ts";
import { stopGateway, type StopOutcome } from "./stop-gateway.ts";
import { createServiceRecords, type ServiceRecords } from "./service-record.ts";

export interface EndGatewayParts extends GatewayDoorParts {
  signal: AbortSignal;
  clock?: Clock;
  connect?: ConnectToGateway;
  records?: Pick<ServiceRecords, "read" | "isSurely">;
  kill?(pid: number): void;
}

const patienceMs = 60_000;
const lookAgainMs = 25;

/** Waits until its process has let go of the home. Throws `gateway/…`. */
export async function endGateway(
  parts: EndGatewayParts,
  onStopping: (pid: number) => void,
): Promise<StopOutcome> {
  const { connect, clock = systemClock } = parts;
  const home = locateHome(parts.environment);
  const records = parts.records ?? createServiceRecords(home);
  try {
    const outcome = await stopGateway(parts, { onStopping, clock, ...(connect ? { connect } : {}) });
    return outcome.type === "not-running" ? await endWaiting(parts, records, clock, onStopping) : outcome;
  } catch (error) {
    if (asPincerError(error).code !== "gateway/unreachable") throw error;
    const record = await records.read();
    // The pid may belong to another process by now.
    if (!record || !records.isSurely(record)) throw error;
    onStopping(record.pid);
    (parts.kill ?? terminate)(record.pid);
    const hasEnded = await untilGatewayHasEnded({ home, clock }, patienceMs, parts.signal);
    const { pid } = record;
    return hasEnded ? { type: "stopped", pid } : { type: "still-running", pid, seconds: patienceMs / 1000 };
  } finally {
    // What a dead one left behind goes with it.
    await records.read();
  }
}

/** One that waits until it can serve again holds neither socket nor lock; only its record tells of it. */
async function endWaiting(
  { kill = terminate, signal }: EndGatewayParts,
  records: Pick<ServiceRecords, "read" | "isSurely">,
  clock: Clock,
  onStopping: (pid: number) => void,
): Promise<StopOutcome> {
  const record = await records.read();
  if (!record || !records.isSurely(record)) return { type: "not-running" };
  const { pid } = record;
  onStopping(pid);
  kill(pid);
  for (
    const end = clock.monotonic() + patienceMs;
    clock.monotonic() < end;
    await clock.sleep(lookAgainMs, signal)
  )
    if ((await records.read())?.pid !== pid) return { type: "stopped", pid };
  return { type: "still-running", pid, seconds: patienceMs / 1000 };
}

const terminate = (pid: number): void => void process.kill(pid, "SIGTERM");
