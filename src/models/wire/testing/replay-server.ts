/** A server that plays recorded answers, whole, cut, dripping or not at all, and keeps what it was asked. */
import { once } from "node:events";
import fs from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

export interface Replay {
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
  /** Pieces of this many bytes, each sent separately. */
  pieceBytes?: number;
  /** What happens after the body; `end` when it is left out. */
  afterwards?: "end" | "stall" | "reset";
}

export interface ReplayRequest {
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface ReplayServer {
  url: string;
  requests: ReplayRequest[];
  /** For all requests from now on. */
  play(replay: Replay): void;
  close(): Promise<void>;
}

export async function createReplayServer(): Promise<ReplayServer> {
  const requests: ReplayRequest[] = [];
  let current: Replay = { status: 404, body: "" };
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    requests.push({
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    });
    await answer(response, current);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play(replay) {
      current = replay;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(response: http.ServerResponse, replay: Replay): Promise<void> {
  const { status = 200, headers, afterwards = "end", pieceBytes } = replay;
  const body = Buffer.from(replay.body);
  response.socket?.setNoDelay(true);
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  response.flushHeaders();
  const size = pieceBytes ?? Math.max(1, body.length);
  for (let at = 0; at < body.length; at += size) {
    if (response.destroyed) return;
    response.write(body.subarray(at, at + size));
    if (pieceBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  if (afterwards === "end") response.end();
  else if (afterwards === "reset") setImmediate(() => response.destroy());
}

/** One of the recorded streams beside this folder. */
export const recorded = (api: string, name: string): Promise<string> =>
  fs.readFile(fileURLToPath(new URL(`../fixtures/${api}/${name}.sse`, import.meta.url)), "utf8");
