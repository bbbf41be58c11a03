/** Receives messages on one path, from this machine alone. Rejects calls that are too old, too long or too slow. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { PincerError, SendError, type ChannelHost } from "@pincer/sdk";
import { Check, Errors } from "typebox/value";
import { InboundCall, receivedMessage } from "./call-bodies.ts";
import { isRecent, isSigned } from "./signature.ts";

const largestBodyBytes = 8 * 1024 * 1024;
const mostCallers = 16;
/** A call that is incomplete after this time is aborted. */
const usualPatienceMs = 15_000;

type Answer = { status: number; body: object };

/** Resolves to what closes it, which is safe to call twice and never throws. Throws SendError. */
export async function openListener(
  { port, secret, patienceMs = usualPatienceMs }: { port: number; secret: string; patienceMs?: number },
  host: ChannelHost,
): Promise<() => Promise<void>> {
  const limits = { requestTimeout: patienceMs, headersTimeout: patienceMs, maxHeaderSize: 8192 };
  const server = createServer({ ...limits, connectionsCheckingInterval: Math.min(1000, patienceMs) });
  server.maxConnections = mostCallers;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, { secret, host }).then(({ status, body }) => {
      // What was not read is not read later either.
      if (!request.complete) response.setHeader("connection", "close");
      if (status === 503) response.setHeader("retry-after", "5");
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await listen(server, port);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

const refusal = (status: number, error: string): Answer => ({ status, body: { error } });

/** Never throws. */
async function answer(
  request: IncomingMessage,
  { secret, host }: { secret: string; host: ChannelHost },
): Promise<Answer> {
  const { method, url, headers } = request;
  if (method === "GET" && url === "/health") return { status: 200, body: { ok: true } };
  if (url !== "/messages") return refusal(404, "there is only /messages");
  if (method !== "POST") return refusal(405, "messages come by POST");
  const stamp = headers["x-pincer-timestamp"];
  if (!isRecent(stamp, host.clock.now()))
    return refusal(401, "X-Pincer-Timestamp is missing or off by more than 5 minutes");
  const bytes = await readBody(request);
  if (!bytes) return refusal(413, `a call holds at most ${largestBodyBytes} bytes`);
  if (!isSigned(secret, stamp, bytes, headers["x-pincer-signature"]))
    return refusal(401, "the signature is wrong");
  const call = parse(bytes);
  if (!Check(InboundCall, call)) {
    const [first] = Errors(InboundCall, call);
    return refusal(
      400,
      first ? `${first.instancePath || "the body"} ${first.message}` : "the body is not JSON",
    );
  }
  try {
    const { type } = await host.receive(await receivedMessage(call, host));
    return { status: 202, body: { duplicate: type === "duplicate" } };
  } catch (error) {
    if (error instanceof PincerError && error.code === "usage/bad-argument")
      return refusal(400, error.message);
    host.log.warn(`a message was not stored: ${String(error)}`);
    return refusal(503, "it could not be stored; call again");
  }
}

/** Undefined when there is too much of it, or when it ended early. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > largestBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBodyBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The caller has disconnected.
    return undefined;
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // Told as what it is not.
    return undefined;
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const words = code === "EADDRINUSE" ? `port ${port} is taken by another program` : message;
      reject(new SendError("unavailable", words));
    });
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
