/**
 * A `fetch` over node:http and node:https: Node's own costs a small gateway a third of its memory. It has no timeouts, the caller aborts.
 * A redirect is followed within the same origin and for reading only, because a key travels in the headers.
 */
import type http from "node:http";
import { Readable, type Duplex } from "node:stream";
import { HttpHeaders } from "../../infra/http-headers.ts";
import { HttpResponse } from "../../infra/http-response.ts";
import { decodedBody } from "./decoded-body.ts";
import { givingUpOn, type GivingUp } from "./giving-up.ts";
import { streamOf, type PieceReader } from "./piece-reader.ts";

/** Takes an address, not a `Request`. Rejects with TypeError "fetch failed", whose cause says why, or with the signal's reason. */
export type Fetch = typeof globalThis.fetch;

const mostRedirects = 5;
/** How long a connection nobody uses is kept. */
const idleSocketMs = 30_000;
/** A connection that breaks this soon after it was written to had been closed by the server before; later, the request may have been read. */
const staleMs = 100;

export interface HttpFetchParts {
  /** Milliseconds from any beginning. */
  now?(): number;
  /** What is spoken to in the place of the network; without it each address is connected to. */
  connect?(): Duplex;
}

/** What a `fetch` rejects with. */
export interface FetchFailure extends TypeError {
  /** Nobody can have read the request: there was no connection, or it was not allowed to go out. */
  isUnsent?: true;
}

/** What a `fetch` here resolves with if there is a body: code that needs no web stream can read it in pieces. */
export class HttpAnswer extends HttpResponse {
  /** Instead of the body, not beside it. */
  readonly pieces: PieceReader;

  constructor(pieces: PieceReader, init: ResponseInit) {
    super(() => streamOf(pieces), init);
    this.pieces = pieces;
  }
}

export function createHttpFetch({ now = () => performance.now(), connect }: HttpFetchParts = {}): Fetch {
  const agents = createAgents(connect);

  return async function fetch(input, init = {}) {
    const url = addressOf(input);
    const request = await outgoing(init);
    const givingUp = givingUpOn(request.signal);
    try {
      const exchange = await follow(url, request, { agents, now, givingUp }, init.redirect);
      return answer(exchange, givingUp);
    } catch (error) {
      givingUp.end();
      throw error;
    }
  };
}

async function follow(
  from: URL,
  request: Outgoing,
  way: Way,
  redirect: RequestInit["redirect"],
): Promise<Exchange> {
  let url = from;
  for (let redirects = 0; ; redirects++) {
    const exchange = await send(url, request, way);
    const target = redirectOf(exchange.response, url);
    if (!target || redirect === "manual") return exchange;
    exchange.response.destroy();
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (!isReading || target.origin !== url.origin || redirect === "error")
      throw failed(new Error(`refused to follow a redirect from ${url.origin} to ${target.origin}`), true);
    if (redirects === mostRedirects)
      throw failed(new Error(`more than ${mostRedirects} redirects at ${url.origin}`));
    url = target;
  }
}

interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | undefined;
  signal: AbortSignal | undefined;
}

interface Exchange {
  sent: http.ClientRequest;
  response: http.IncomingMessage;
}

type Agents = (protocol: string) => { request: typeof http.request; agent: http.Agent };

/** Each is created on demand: a request to a model on this machine has no use for the megabytes of TLS. */
function createAgents(connect: (() => Duplex) | undefined): Agents {
  const made = new Map<string, ReturnType<Agents>>();
  const make = (protocol: string) => {
    const { request, Agent } = protocol === "https:" ? httpsOfNode() : httpOfNode();
    if (connect) return { request, agent: Object.assign(new Agent(), { createConnection: connect }) };
    return { request, agent: new Agent({ keepAlive: true, timeout: idleSocketMs, maxFreeSockets: 32 }) };
  };
  return (protocol) => {
    const known = made.get(protocol) ?? make(protocol);
    made.set(protocol, known);
    return known;
  };
}

// Not imported: an import of node:http reads all that it exports, and its `WebSocket` loads the whole of Node's own fetch.
const httpOfNode = () => process.getBuiltinModule("node:http");
const httpsOfNode = () => process.getBuiltinModule("node:https");

function addressOf(input: Parameters<Fetch>[0]): URL {
  if (typeof input !== "string" && !(input instanceof URL))
    throw new TypeError("an address is needed, not a Request");
  const url = new URL(input);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw failed(new Error(`${url.protocol} is not a protocol of the web`), true);
  if (url.username !== "" || url.password !== "")
    throw failed(new Error("an address must not hold a user or a password"), true);
  return url;
}

async function outgoing({ method = "GET", headers, body, signal }: RequestInit): Promise<Outgoing> {
  const named = Object.fromEntries(headers instanceof HttpHeaders ? headers : new HttpHeaders(headers));
  const request = { method: method.toUpperCase(), headers: named, signal: signal ?? undefined };
  if (body === null || body === undefined) return { ...request, body: undefined };
  if (typeof body === "string" || body instanceof Uint8Array) return { ...request, body };
  if (body instanceof ReadableStream) return { ...request, body: Readable.from(body) };
  // Forms and the like: the platform knows their bytes and their type.
  const encoded = new Response(body);
  const type = encoded.headers.get("content-type");
  if (type) named["content-type"] ??= type;
  return { ...request, body: new Uint8Array(await encoded.arrayBuffer()) };
}

interface Way {
  agents: Agents;
  now(): number;
  givingUp: GivingUp;
  /** Over a connection that nobody has used before. */
  isFresh?: boolean;
}

async function send(url: URL, request: Outgoing, way: Way): Promise<Exchange> {
  request.signal?.throwIfAborted();
  const { request: open, agent } = way.agents(url.protocol);
  const { method, headers } = request;
  const sent = open({ ...placeOf(url), method, headers, agent: way.isFresh ? false : agent });
  const use = watchUse(sent, way.now);
  try {
    const responded = responseOf(sent, way.givingUp);
    responded.catch(() => undefined);
    write(sent, request.body);
    return { sent, response: await responded };
  } catch (cause) {
    if (request.signal?.aborted) throw request.signal.reason;
    // Once and no more: were the request read after all, it would be paid for twice.
    if (!way.isFresh && use.wasStale(cause) && !(request.body instanceof Readable))
      return send(url, request, { ...way, isFresh: true });
    throw failed(cause, !use.hasConnection());
  }
}

/** What node:http would make of the address, without all that it has no use for. */
function placeOf({ protocol, hostname, port, pathname, search }: URL): http.RequestOptions {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return { protocol, hostname: host, port: port === "" ? undefined : Number(port), path: pathname + search };
}

interface Use {
  hasConnection(): boolean;
  /** The server had closed a connection that was kept for it: nothing of the request can have been read. */
  wasStale(cause: unknown): boolean;
}

function watchUse(sent: http.ClientRequest, now: () => number): Use {
  let received = 0;
  let writtenAt: number | undefined;
  sent.once("socket", (socket) => {
    const begin = (): void => {
      received = socket.bytesRead;
      writtenAt = now();
    };
    if (sent.reusedSocket) begin();
    else socket.once(sent.protocol === "https:" ? "secureConnect" : "connect", begin);
  });
  return {
    hasConnection: () => writtenAt !== undefined,
    wasStale: (cause) =>
      sent.reusedSocket &&
      ["ECONNRESET", "EPIPE"].includes((cause as NodeJS.ErrnoException).code ?? "") &&
      writtenAt !== undefined &&
      now() - writtenAt <= staleMs &&
      (sent.socket?.bytesRead ?? received) === received,
  };
}

/** Settles whatever the server does: what is no answer is refused, and the connection is given up. */
function responseOf(sent: http.ClientRequest, givingUp: GivingUp): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  givingUp.by((reason) => {
    sent.destroy();
    reject(reason);
  });
  sent.on("response", resolve);
  // After the answer has begun its body tells of errors; without a listener the process would hear of them as well.
  sent.on("error", reject);
  sent.on("upgrade", (_, socket) => {
    socket.destroy();
    reject(new Error("the server wants to speak something else than HTTP"));
  });
  sent.on("close", () => reject(new Error("the connection closed without an answer")));
  return promise;
}

function write(sent: http.ClientRequest, body: Outgoing["body"]): void {
  if (body instanceof Readable) {
    body.on("error", (error) => sent.destroy(error));
    body.pipe(sent);
  } else if (body === undefined) sent.end();
  else {
    // To count what a text has in bytes takes longer than to make them.
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    if (!sent.hasHeader("content-length")) sent.setHeader("content-length", bytes.length);
    sent.end(bytes);
  }
}

function redirectOf({ statusCode = 0, headers }: http.IncomingMessage, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  return URL.parse(headers.location, url.href) ?? undefined;
}

const bodiless = [204, 205, 304];

function answer({ sent, response }: Exchange, givingUp: GivingUp): Response {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) {
    response.destroy();
    throw failed(new Error(`the server answered with the status ${status}, which does not exist`));
  }
  const headers = new HttpHeaders();
  for (let index = 0; index + 1 < response.rawHeaders.length; index += 2)
    headers.append(response.rawHeaders[index] ?? "", response.rawHeaders[index + 1] ?? "");
  const init = { status, statusText: response.statusMessage ?? "", headers };
  if (bodiless.includes(status) || sent.method === "HEAD") {
    givingUp.end();
    response.resume();
    return new HttpResponse(null, init);
  }
  const body = decodedBody(response, givingUp);
  if (body.isDecoded) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  return new HttpAnswer(body.pieces, init);
}

function failed(cause: unknown, isUnsent = false): FetchFailure {
  const error: FetchFailure = new TypeError("fetch failed", { cause });
  return isUnsent ? Object.assign(error, { isUnsent: true as const }) : error;
}
