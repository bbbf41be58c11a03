/** One real server that is every host of the web, reached through the broker: what was looked up and asked for is known. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { GatewayExtras } from "../gateway.ts";

export interface OneWeb {
  wayOut: NonNullable<GatewayExtras["wayOut"]>;
  /** Names that were looked up, in order. */
  looked: string[];
  /** Addresses that were asked for, in order. */
  asked: string[];
}

/** Out in the world; nobody really dials it. */
const address = "93.184.216.34";

/** `pages`: by address without the scheme; what is not there is 404. */
export async function openOneWeb(pages: Record<string, string>): Promise<OneWeb> {
  const looked: string[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = `${request.headers.host}${request.url}`;
    asked.push(url);
    const page = pages[url];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(page ?? "nothing here");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    looked,
    asked,
    wayOut: {
      async lookup(host) {
        looked.push(host);
        return [address];
      },
      connect({ address: dialled }) {
        const socket = connect({ host: "127.0.0.1", port });
        Object.defineProperty(socket, "remoteAddress", { value: dialled });
        return socket;
      },
    },
  };
}
