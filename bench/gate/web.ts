/**
 * The web as the cases have it: one server on this machine that is every host. The product's own broker resolves, checks and dials; only where a name
 * leads, and to whom a connection goes, is told here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { GatewayExtras } from "../../src/app/gateway.ts";
import { smallPdf } from "../../src/tools/web/testing/small-pdf.ts";
import type { Effect, Page, SearchHit, World } from "./case.ts";

export interface Web {
  wayOut: NonNullable<GatewayExtras["wayOut"]>;
  searchUrl: string;
  close(): Promise<void>;
}

/** An address out in the world, which nobody really dials. */
const address = "93.184.216.34";

export async function openWeb(
  { pages = {}, search = {} }: Pick<World, "pages" | "search">,
  record: (effect: Effect) => void,
): Promise<Web> {
  const shelf = new Map(Object.entries(pages).map(([url, page]) => [addressOf(url), page]));
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "nowhere"}`);
      if (url.hostname === "127.0.0.1") return found(url, search, response, record);
      record({
        type: "request",
        method: request.method ?? "GET",
        url: url.href,
        headers: headersOf(request),
        body,
      });
      show(shelf.get(addressOf(url.href)), response);
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    wayOut: {
      async lookup(host) {
        record({ type: "lookup", host });
        return [address];
      },
      connect({ address: dialled }) {
        const socket = connect({ host: "127.0.0.1", port });
        Object.defineProperty(socket, "remoteAddress", { value: dialled });
        return socket;
      },
    },
    searchUrl: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** In the one spelling that a server sees it in. */
export function addressOf(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.hash = "";
  return url.href;
}

function show(page: string | Page | undefined, response: ServerResponse): void {
  if (page === undefined)
    return void response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
  const {
    body,
    type = "text/html",
    status = 200,
    headers = {},
    location,
  } = typeof page === "string" ? { body: page } : page;
  if (location !== undefined) return void response.writeHead(302, { ...headers, location }).end();
  const content = type === "application/pdf" ? smallPdf(body.split("\n").map(pdfText)) : body;
  response.writeHead(status, { "content-type": `${type}; charset=utf-8`, ...headers }).end(content);
}

const pdfText = (line: string): string => line.replaceAll(/[\\()]/g, "\\$&");

function found(
  url: URL,
  search: Record<string, readonly SearchHit[]>,
  response: ServerResponse,
  record: (effect: Effect) => void,
): void {
  const query = url.searchParams.get("q") ?? "";
  record({ type: "search", query });
  const key = Object.keys(search).find((each) => query.toLowerCase().includes(each.toLowerCase()));
  const hits = search[key ?? "*"] ?? [];
  const results = hits.map(({ title, url: target, snippet }) => ({ title, url: target, content: snippet }));
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
