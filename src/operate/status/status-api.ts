/** The state of the home, told by the running gateway, or looked up in the home. */
import {
  connectToGateway,
  languageAt,
  type ConnectToGateway,
  type GatewayDoorParts,
} from "../../gateway/connect-to-gateway.ts";
import type { Status, StatusParts } from "./status.ts";

export interface StatusDoors {
  connect: ConnectToGateway;
  readStatus(parts: StatusParts): Promise<Status>;
}

const usualCalls: StatusDoors = {
  connect: connectToGateway,
  readStatus: async (parts) => (await import("./status.ts")).readStatus(parts),
};

/** Throws only `gateway/…`: when a gateway runs that cannot be asked, nobody else may look. */
export async function askStatus(
  parts: StatusParts & GatewayDoorParts,
  doors: StatusDoors = usualCalls,
): Promise<Status> {
  const client = await doors.connect(parts);
  if (!client) return doors.readStatus(parts);
  try {
    return (await client.request("status.get", { language: languageAt(client, parts) })) as Status;
  } finally {
    client.close();
  }
}
