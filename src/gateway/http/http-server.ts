/**
 * The gateway's HTTP server. Every request passes the same checks in one order before any route sees it: where it is addressed to and which
 * page sent it, here; how much its sender may ask for, who they are and what they may do, in `admit-request.ts`. Only then is its body read.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { noLonger } from "../../infra/no-longer.ts";
import { whenNeeded } from "../../infra/when-needed.ts";
import type { GatewayLog } from "../rpc.ts";
import { createAdmission, type AdmissionParts } from "./admit-request.ts";
import { bodyPieces } from "./body-pieces.ts";
import { failureBody, httpFailure } from "./http-failure.ts";
import { createReply, type OpenReply } from "./http-reply.ts";
import { HttpFailure, type HttpCall, type HttpRoute } from "./http-route.ts";
import { listenOnAll, type HttpAddress } from "./listen-on-all.ts";
import { parseJson, readBody } from "./read-body.ts";
import { createRouteTable, type FoundRoute } from "./route-table.ts";

export interface RequestChecks {
  /** The peer of the connection, or what a trusted proxy says about it. */
  addressOf(request: IncomingMessage): string;
  /** Why the request is refused, no matter who sent it; undefined if it is not. */
  refusal(request: IncomingMessage, kind: "read" | "change" | "upgrade"): string | undefined;
}

export interface HttpLimits {
  connections: number;
  bodyBytes: number;
  /** How long a request may take to arrive. */
  arriveWithinMs: number;
}

export interface HttpServerParts extends AdmissionParts {
  addresses: readonly HttpAddress[];
  /** Those that must answer at once, whatever else is going on. */
  routes: readonly HttpRoute[];
  /** All others: loaded with the first request that the first ones do not answer. */
  moreRoutes?(): Promise<readonly HttpRoute[]>;
  checks: RequestChecks;
  limits(): HttpLimits;
  /** A connection that becomes a WebSocket, on the path where one may. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void;
  /** Told of each request when it is over. */
  answered?(told: { route: string; method: string; status: number; ms: number }): void;
  clock: Clock;
  log: GatewayLog;
}

export interface HttpServer {
  /** Where it listens, ports as they turned out. */
  addresses: Array<{ host: string; port: number }>;
  connections(): number;
  /** No new requests; what runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** Why a request is over whose connection closed. */
const hungUp = new Error("the connection closed");

/** How long a connection may be there that is one too many. */
const refusedForMs = 2000;

/** What a request that did not become one is answered; all others are bad ones. */
const clientErrors: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** The path on which WebSockets are opened. */
const socketPath = "/ws";

/** Throws PincerError when an address is taken or is none of this machine's. */
export async function listenOnHttp(parts: HttpServerParts): Promise<HttpServer> {
  const { clock, log } = parts;
  const { answer, requireRate, isOneTooMany } = createAdmission(parts);
  const first = createRouteTable(parts.routes);
  const all = whenNeeded(async () =>
    createRouteTable([...parts.routes, ...((await parts.moreRoutes?.()) ?? [])]),
  );
  /** What is being answered, each with what tells its route that nobody waits any more. */
  const running = new Map<ServerResponse, AbortController>();
  let isClosing = false;
  const sockets = new Set<Socket>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = clock.monotonic();
    const method = request.method ?? "GET";
    const reply = createReply(response, method === "HEAD");
    if (isClosing || isOneTooMany(request.socket)) response.shouldKeepAlive = false;
    let named = "-";
    let say: HttpRoute["failure"];
    response.once("finish", () => leaveUnread(request));
    response.once("close", () => {
      // A client that disconnected earlier was not answered.
      const status = response.headersSent ? response.statusCode : 499;
      parts.answered?.({ route: named, method, status, ms: clock.monotonic() - begun });
      // One whose answer had begun before: kept for another request, it would keep the server from ending.
      if (isClosing) request.socket.end();
    });
    try {
      if (isClosing) throw failure("gateway/stopped", "gateway.stopping");
      const address = parts.checks.addressOf(request);
      const kind = method === "GET" || method === "HEAD" ? "read" : "change";
      const refusal = parts.checks.refusal(request, kind);
      if (refusal) throw new HttpFailure(403, "FORBIDDEN", refusal);
      const { path, query } = readTarget(request);
      const found = await findRoute(method, path);
      if (found.type !== "found") {
        requireRate({ address });
        throw found.type === "none" ? nothingThere(path) : otherMethod(found.allowed);
      }
      const { route, parameters } = found;
      named = route.path;
      say = route.failure;
      const about = { path, query, address, bodyBytes: route.bodyBytes };
      const call = { ...describeCall(request, response, about), method, parameters };
      await answer(route, call, reply, { address, socket: request.socket });
      if (!reply.hasBegun()) throw new Error("nothing was answered");
    } catch (error) {
      fail(reply, error, say, `${method} ${named}`);
      // Nobody is to take what came for the whole.
      if (!response.writableEnded) response.destroy();
    }
  }

  /** What nobody has read of a request is not waited for: the answer goes out, and the connection ends. */
  function leaveUnread(request: IncomingMessage): void {
    const { socket } = request;
    if (request.complete) return;
    const over = new AbortController();
    socket.once("close", () => over.abort(noLonger));
    // Hanging up at once would take the answer back that is under way.
    socket.end();
    clock.sleep(1000, over.signal).then(
      () => socket.destroy(),
      () => {},
    );
  }

  async function findRoute(method: string, path: string): Promise<FoundRoute> {
    const found = first.find(method, path);
    if (found.type === "found" || !parts.moreRoutes) return found;
    return (await all()).find(method, path);
  }

  /** One too many has a moment to ask for something, so that it can be told. */
  function seat(socket: Socket): void {
    const taken = parts.seats?.take(socket, socket.remoteAddress ?? "");
    if (taken === "cut") return void socket.destroy();
    if (taken !== "refused") return;
    const over = new AbortController();
    socket.once("close", () => over.abort(noLonger));
    clock.sleep(refusedForMs, over.signal).then(
      () => isOneTooMany(socket) && socket.destroy(),
      () => {},
    );
  }

  function describeCall(
    request: IncomingMessage,
    response: ServerResponse,
    {
      bodyBytes,
      ...given
    }: Pick<HttpCall, "path" | "query" | "address"> & { bodyBytes: HttpRoute["bodyBytes"] },
  ): Omit<HttpCall, "method" | "parameters"> {
    const gone = new AbortController();
    running.set(response, gone);
    response.once("close", () => {
      running.delete(response);
      gone.abort(hungUp);
    });
    const limits = parts.limits();
    const most = () => ({ bytes: bodyBytes?.() ?? limits.bodyBytes, withinMs: limits.arriveWithinMs });
    let body: Promise<Buffer> | undefined;
    const read = () => (body ??= readBody(request, most(), clock));
    return {
      ...given,
      headers: request.headers,
      signal: gone.signal,
      body: read,
      pieces: () => bodyPieces(request, most(), clock),
      json: async () => parseJson(request.headers["content-type"], await read()),
    };
  }

  function fail(reply: OpenReply, thrown: unknown, say: HttpRoute["failure"], what: string): void {
    const told = httpFailure(thrown);
    // Clients that hang up must not fill the log.
    if (told.status === 500 && thrown !== hungUp) log.error(`${what}: ${describe(thrown)}`);
    if (reply.hasBegun()) return;
    reply.json(told.status, (say ?? failureBody)(told), told.headers);
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const address = parts.checks.addressOf(request);
    // Of one that a proxy passes on it is known only now who is behind it.
    if (parts.seats?.take(socket, address) === "cut") return void socket.destroy();
    const refusal =
      parts.checks.refusal(request, "upgrade") ??
      (readTarget(request).path === socketPath && parts.upgrade ? undefined : "There is nothing here.");
    const seconds = refusal === undefined ? parts.takeRate({ address }) : undefined;
    if (refusal === undefined && seconds === undefined)
      return parts.upgrade?.(request, socket, head, address);
    const status = seconds === undefined ? "403 Forbidden" : "429 Too Many Requests";
    const text = refusal ?? "Too many requests.";
    lastWords(
      socket,
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }

  function makeServer(): Server {
    const { connections, arriveWithinMs } = parts.limits();
    // An import would look at all that the module has, and load the whole of Node's fetch with it.
    const server = process.getBuiltinModule("node:http").createServer({
      headersTimeout: Math.min(10_000, arriveWithinMs),
      requestTimeout: arriveWithinMs,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 32 * 1024,
    });
    server.maxConnections = connections;
    server.on("request", (request, response) => void serve(request, response));
    server.on("upgrade", upgrade);
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => {
        sockets.delete(socket);
        parts.seats?.leave(socket);
      });
      seat(socket);
    });
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      // Browsers open spare connections. Words on a silent one would be taken for the answer to the next request.
      const isSilent = (socket as Socket).bytesRead === 0;
      if (!socket.writable || isSilent) return void socket.destroy();
      const status = clientErrors[error.code ?? ""] ?? "400 Bad Request";
      lastWords(socket, `HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    });
    return server;
  }

  const { servers, addresses } = await listenOnAll(parts.addresses, makeServer, log);

  let closing: Promise<void> | undefined;
  async function close(withinMs: number): Promise<void> {
    isClosing = true;
    for (const response of running.keys()) response.shouldKeepAlive = false;
    const bound = new AbortController();
    const ended = servers.map((server) => new Promise<void>((done) => server.close(() => done())));
    for (const server of servers) server.closeIdleConnections();
    clock.sleep(withinMs, bound.signal).then(
      () => {
        for (const gone of running.values()) gone.abort(new Error("the gateway stops"));
        for (const server of servers) server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      },
      () => {},
    );
    await Promise.all(ended);
    bound.abort();
  }
  return {
    addresses,
    connections: () => sockets.size,
    close: (withinMs) => (closing ??= close(withinMs)),
  };
}

/** Sends it and then ignores all input: a client that does not hang up is not waited for. */
const lastWords = (socket: Duplex, text: string): void => void socket.end(text, () => socket.destroy());

function readTarget(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1)) };
}

const nothingThere = (path: string) =>
  new HttpFailure(404, "METHOD_NOT_FOUND", `There is nothing at ${path.slice(0, 200)}.`);

const otherMethod = (allowed: string[]) =>
  new HttpFailure(405, "INVALID_REQUEST", `Only ${allowed.join(", ")} here.`, {
    headers: { allow: allowed.join(", ") },
  });

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
