/** `gateway restart`: restarts the gateway in the same way as it was started. */
import { locateHome } from "../../config/home.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { connectToGateway, type GatewayDoorParts } from "../../gateway/connect-to-gateway.ts";
import { endGateway } from "./end-gateway.ts";
import { createServiceRecords, type ServiceRecord } from "./service-record.ts";
import { startInBackground, type BackgroundStart, type Launch } from "./start-in-background.ts";
import { restartUnit, type SystemParts } from "./system-service.ts";

export type RestartOutcome =
  | { type: "not-running" }
  /** The system restarts it, or the gateway itself in its terminal. */
  | { type: "restarting"; pid: number; by: "system" | "itself" }
  | BackgroundStart;

export interface RestartParts extends GatewayDoorParts {
  cwd: string;
  signal: AbortSignal;
  clock?: Clock;
  launch?: Launch;
  system: SystemParts;
}

/** Running turns are finished or parked, and go on afterwards. Throws `gateway/…`. */
export async function restartGateway(
  parts: RestartParts,
  onStopping: (pid: number) => void,
): Promise<RestartOutcome> {
  const { clock = systemClock } = parts;
  const record = await createServiceRecords(locateHome(parts.environment)).read();
  if (record?.mode === "background") return again(parts, record, onStopping);
  if (record?.mode === "system" && (await restartUnit(parts.system)))
    return { type: "restarting", pid: record.pid, by: "system" };
  const client = await connectToGateway({ ...parts, clock });
  if (!client) return { type: "not-running" };
  try {
    const { pid } = await client.request("gateway.restart", {}, { signal: parts.signal });
    return { type: "restarting", pid, by: "itself" };
  } finally {
    client.close();
  }
}

/** As a new process, so that a newer version takes over here. */
async function again(
  parts: RestartParts,
  record: ServiceRecord,
  onStopping: (pid: number) => void,
): Promise<RestartOutcome> {
  const ended = await endGateway(parts, onStopping);
  if (ended.type === "still-running") {
    const { pid, seconds } = ended;
    throw failure(
      "gateway/running",
      "gateway.still-running",
      { pid, seconds },
      { hint: "gateway.still-running.hint" },
    );
  }
  return startInBackground(parts, record.arguments);
}
