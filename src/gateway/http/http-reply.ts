/** How a route answers: whole, or as a stream of events. Nothing is sent twice, and clients that do not read are cut off. */
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { BodyStream, EventStream, HttpReply } from "./http-route.ts";

/** What may be left unread of a stream. */
const mostUnread = 8 * 1024 * 1024;

/** What holds for everything that is no page: nothing in it is run, framed, guessed at or kept. */
const usualHeaders: OutgoingHttpHeaders = {
  "content-security-policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

export interface OpenReply extends HttpReply {
  hasBegun(): boolean;
}

export function createReply(response: ServerResponse, isHead: boolean): OpenReply {
  function send(status: number, body: Uint8Array | string, headers: OutgoingHttpHeaders): void {
    if (response.headersSent) return;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    response.writeHead(status, { ...usualHeaders, "content-length": length, ...headers });
    response.end(isHead ? undefined : body);
  }
  return {
    hasBegun: () => response.headersSent,
    json: (status, value, headers = {}) =>
      send(status, JSON.stringify(value), { "content-type": "application/json; charset=utf-8", ...headers }),
    text: (status, text, headers = {}) =>
      send(status, text, { "content-type": "text/plain; charset=utf-8", ...headers }),
    bytes: (status, bytes, headers) => send(status, bytes, headers),
    stream(status, headers): BodyStream {
      response.writeHead(status, { ...usualHeaders, ...headers });
      return {
        async write(chunk) {
          if (!response.writable || response.destroyed) return false;
          if (!response.write(chunk)) await roomIn(response);
          return !response.destroyed;
        },
        end: () => void response.end(),
        cut: () => void response.destroy(),
      };
    },
    events(headers = {}): EventStream {
      response.writeHead(200, {
        ...usualHeaders,
        "content-type": "text/event-stream; charset=utf-8",
        "x-accel-buffering": "no",
        ...headers,
      });
      response.flushHeaders();
      const write = (text: string): boolean => {
        if (!response.writable || response.destroyed) return false;
        if (response.writableLength > mostUnread) {
          response.destroy();
          return false;
        }
        response.write(text);
        return true;
      };
      return {
        send(data, event) {
          const name = event === undefined ? "" : `event: ${event}\n`;
          const lines = data.split(/\r\n|[\r\n]/).map((line) => `data: ${line}\n`);
          return write(`${name}${lines.join("")}\n`);
        },
        beat: () => write(":\n\n"),
        end: () => void response.end(),
      };
    },
  };
}

/** Or nobody is there any more. */
const roomIn = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
