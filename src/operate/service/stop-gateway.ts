import { locateHome } from "../../config/home.ts";
import { untilGatewayHasEnded } from "../../gateway/gateway-lock.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import {
  connectToGateway,
  type ConnectToGateway,
  type GatewayDoorParts,
} from "../../gateway/connect-to-gateway.ts";

export type StopOutcome =
  | { type: "stopped"; pid: number }
  | { type: "not-running" }
  | { type: "still-running"; pid: number; seconds: number };

/** A gateway finishes its turns within 30 s, and then has its messages and files to close. */
const patienceMs = 60_000;

/** Stops the gateway of this home and waits until its process has let go of it. Throws `gateway/…`. */
export async function stopGateway(
  parts: GatewayDoorParts & { signal: AbortSignal },
  given: { onStopping(pid: number): void; connect?: ConnectToGateway; clock?: Clock },
): Promise<StopOutcome> {
  const { connect = connectToGateway, clock = systemClock, onStopping } = given;
  const client = await connect(parts);
  if (!client) return { type: "not-running" };
  try {
    const { pid } = await client.request("gateway.stop", {}, { signal: parts.signal });
    onStopping(pid);
    const home = locateHome(parts.environment);
    const hasEnded = await untilGatewayHasEnded({ home, clock }, patienceMs, parts.signal);
    return hasEnded ? { type: "stopped", pid } : { type: "still-running", pid, seconds: patienceMs / 1000 };
  } finally {
    client.close();
  }
}
