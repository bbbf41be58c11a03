/** One server on each of several addresses, all on the same port. */
import type { PincerError } from "@pincer/sdk";
import type { Server } from "node:http";
import { failure } from "../../infra/failure.ts";
import type { GatewayLog } from "../rpc.ts";

export interface HttpAddress {
  host: string;
  /** Zero: any that is free, and the same for all. */
  port: number;
  /** It is left out where the machine has no such address. */
  isOptional?: boolean;
}

/** Ports as they turned out. Throws PincerError when an address is taken or is none of this machine's; nothing stays open then. */
export async function listenOnAll(
  wanted: readonly HttpAddress[],
  makeServer: () => Server,
  log: Pick<GatewayLog, "error">,
): Promise<{ servers: Server[]; addresses: Array<{ host: string; port: number }> }> {
  const servers: Server[] = [];
  const addresses: Array<{ host: string; port: number }> = [];
  try {
    for (const { host, port, isOptional = false } of wanted) {
      const server = makeServer();
      const [before] = addresses;
      // The port that the first one was given is the port of all.
      const bound = await listen(server, host, port === 0 && before ? before.port : port).catch(
        (error: PincerError) => {
          if (isOptional && isNotOurs(error.cause)) return undefined;
          throw error;
        },
      );
      if (!bound) continue;
      // The system may be out of descriptors for a while: that is no reason to go down.
      server.on("error", (error) => log.error(`http: ${error.message}`));
      addresses.push(bound);
      servers.push(server);
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  return { servers, addresses };
}

function listen(server: Server, host: string, port: number): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(
        failure(
          "gateway/running",
          isTaken ? "gateway.port-taken" : "gateway.cannot-listen",
          { host, port, next: port < 65_535 ? port + 1 : port - 1, reason: error.message },
          { hint: isTaken ? "gateway.port-taken.hint" : "gateway.cannot-listen.hint", cause: error },
        ),
      );
    };
    server.once("error", fail);
    server.listen({ host, port, exclusive: true, ipv6Only: true }, () => {
      server.off("error", fail);
      const address = server.address();
      resolve({ host, port: typeof address === "object" && address ? address.port : port });
    });
  });
}

const isNotOurs = (cause: unknown): boolean =>
  ["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"].includes(
    (cause as NodeJS.ErrnoException | undefined)?.code ?? "",
  );
