import { connectGateway, type GatewayClient } from "../gateway-client.ts";

/** The client of a test; whoever asked for it closes it. Throws where no gateway listens. */
export async function connectTo(socketPath: string): Promise<GatewayClient> {
  const client = await connectGateway({
    socketPath,
    clientName: "test",
    version: "test",
    timeoutMs: 20_000,
  });
  if (!client) throw new Error("no gateway");
  return client;
}
