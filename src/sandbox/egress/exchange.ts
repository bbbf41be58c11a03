/** One request and its answer over a connection that was checked: HTTP/1.1, TLS with the name that was asked for, nothing kept open. */
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { EgressError } from "./egress.ts";
import type { Headers } from "./request-head.ts";

export interface Outgoing {
  method: string;
  headers: Headers;
  body: string | Uint8Array | undefined;
}

const mostHeaderBytes = 32 * 1024;

/**
 * Resolves with the head of the response. Throws EgressError. Destroying the connection ends it; the caller reads or
 * destroys the response.
 */
export async function exchange(
  url: URL,
  connection: Duplex,
  { method, headers, body }: Outgoing,
): Promise<IncomingMessage> {
  const stream = url.protocol === "https:" ? await secured(url, connection) : connection;
  // Not imported: an import of node:http reads all that it exports, and its `WebSocket` loads the whole of Node's own fetch.
  const sent = process.getBuiltinModule("node:http").request({
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      "accept-encoding": "gzip, deflate, br, zstd",
      host: url.host,
      connection: "close",
    },
    setHost: false,
    createConnection: () => stream,
    maxHeaderSize: mostHeaderBytes,
    insecureHTTPParser: false,
  });
  const responded = responseOf(sent, url);
  if (body === undefined) sent.end();
  else {
    sent.setHeader("content-length", Buffer.byteLength(body));
    sent.end(body);
  }
  return responded;
}

/** Certificates are verified whatever the environment says. */
function secured(url: URL, connection: Duplex): Promise<Duplex> {
  const tls = process.getBuiltinModule("node:tls");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const isAddress = process.getBuiltinModule("node:net").isIP(host) !== 0;
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      socket: connection,
      host,
      ...(isAddress ? {} : { servername: host }),
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
    });
    const failed = (cause: unknown): void => {
      connection.destroy();
      reject(
        new EgressError("unavailable", `no secure connection to ${host}: ${reasonOf(cause)}`, { cause }),
      );
    };
    socket.once("secureConnect", () => resolve(socket));
    socket.on("error", failed);
    socket.once("close", () => failed(new Error("the connection closed")));
  });
}

function responseOf(sent: ClientRequest, url: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void =>
      reject(new EgressError("unavailable", `${url.host} gave no answer: ${reasonOf(cause)}`, { cause }));
    sent.once("response", resolve);
    // Stays: once the answer has begun, its body tells of errors.
    sent.on("error", failed);
    sent.once("upgrade", (_, socket) => {
      socket.destroy();
      failed(new Error("it wants to speak something else than HTTP"));
    });
    sent.once("close", () => failed(new Error("the connection closed")));
  });
}

/** Never the system's own message: it names the address. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}
