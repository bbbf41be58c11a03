import { connectGateway, type GatewayClient } from "../gateway-client.ts";

/** A client for tests; the caller closes it. Throws if no gateway listens. */
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
