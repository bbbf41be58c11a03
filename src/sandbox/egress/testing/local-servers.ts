/** Real servers on this machine, and a broker that may reach exactly these. */
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { systemClock, type Clock } from "../../../infra/clock.ts";
import { createEgress } from "../create-egress.ts";
import type { Egress, EgressLimits, EgressRules } from "../egress.ts";

export interface LocalServers {
  /** Answers with its port. */
  serve(handler: http.RequestListener): Promise<number>;
  /** One that speaks for itself. */
  serveRaw(handler: (socket: net.Socket) => void): Promise<number>;
  /** May reach the servers of now under any name; each name leads to this machine. */
  broker(parts?: BrokerParts): Egress;
  close(): void;
}

export interface BrokerParts {
  limits?: Partial<EgressLimits>;
  rules?: Partial<EgressRules>;
  clock?: Clock;
}

export function localServers(): LocalServers {
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  const ports: number[] = [];

  async function start(server: net.Server): Promise<number> {
    servers.push(server);
    server.on("connection", (socket: net.Socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    ports.push(port);
    return port;
  }

  return {
    serve: (handler) => start(http.createServer(handler)),
    serveRaw: (handler) => start(net.createServer(handler)),
    broker: ({ limits, rules, clock = systemClock } = {}) =>
      createEgress({
        rules: {
          allow: [],
          deny: [],
          allowPrivate: ports.map((port) => `127.0.0.1:${port}`),
          ...rules,
        },
        limits: { maxBytes: 100_000, timeoutMs: 10_000, maxRedirects: 5, ...limits },
        clock,
        lookup: async () => ["127.0.0.1"],
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
}

/** What a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
