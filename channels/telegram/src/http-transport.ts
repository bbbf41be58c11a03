/**
 * HTTP for the Bot API: bounded answers, and errors that tell whether the request may have arrived. Built on
 * node:http, which the gateway has loaded anyway. Errors never contain the address, because it contains the token.
 */
import type { Agent as HttpAgent, IncomingMessage } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** `not-sent`: the request never left. `unknown`: it may have been acted on. `too-large`: the answer is longer than was allowed. */
export class TransportError extends Error {
  readonly outcome: "not-sent" | "unknown" | "too-large";
  readonly status: number | undefined;

  constructor(
    outcome: TransportError["outcome"],
    message: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "TransportError";
    this.outcome = outcome;
    this.status = options.status;
  }
}

export interface TransportRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | ReadableStream;
  signal?: Pick<AbortSignal, "aborted" | "addEventListener" | "removeEventListener">;
  /** The most bytes that the answer may have. */
  limit?: number;
}

export interface TransportAnswer {
  status: number;
  body: Buffer;
  /** Throws TransportError where the answer is not JSON. */
  json(): Promise<unknown>;
}

export interface HttpTransport {
  /** Throws TransportError and nothing else. */
  fetch(url: string, request?: TransportRequest): Promise<TransportAnswer>;
  /** Ends the connections that are kept. Safe to call twice. */
  close(): void;
}

const answerLimit = 16 * 1024 * 1024;
/** A kept connection that the other side may have closed meanwhile makes the fate of the next request unknown. */
const keptMs = 10_000;

export function createHttpTransport({ proxy }: { proxy?: string | undefined } = {}): HttpTransport {
  const { http, https } = protocols();
  const proxyEnv = proxy === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
  const options = { keepAlive: true, timeout: keptMs, ...proxyEnv };
  const agents: Agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    fetch: (url, request = {}) => exchange(agents, url, request),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** Imported, node:http would load everything that it offers, a second HTTP client among it. */
const protocols = () => ({
  http: process.getBuiltinModule("node:http"),
  https: process.getBuiltinModule("node:https"),
});

function exchange(
  agents: Agents,
  url: string,
  { method = "GET", headers = {}, body, signal, limit = answerLimit }: TransportRequest,
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new TransportError("not-sent", "stopped before it was sent"));
    const isSecure = url.startsWith("https:");
    const options = {
      method,
      headers: withLength(headers, body),
      agent: isSecure ? agents.https : agents.http,
    };
    const { http, https } = protocols();
    const request = isSecure ? https.request(url, options) : http.request(url, options);
    const content = typeof body === "object" ? Readable.fromWeb(body) : undefined;
    let hasLeft = false;
    const fail = (error: unknown) => {
      content?.destroy();
      end(() => reject(error instanceof TransportError ? error : nameFailure(error, hasLeft)));
      request.destroy();
    };
    const onAbort = () => fail(new TransportError(hasLeft ? "unknown" : "not-sent", "stopped while waiting"));
    let isOver = false;
    function end(settle: () => void): void {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener("abort", onAbort);
      settle();
    }
    signal?.addEventListener("abort", onAbort);
    request.on("socket", (socket) => {
      const onReady = () => (hasLeft = true);
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", onReady);
      else onReady();
    });
    request.on("error", fail);
    request.on("response", (response) => {
      collect(response, limit).then(
        (bytes) => end(() => resolve(answerOf(response.statusCode ?? 0, bytes))),
        fail,
      );
    });
    if (typeof body === "string") request.end(body);
    else if (content) content.on("error", fail).pipe(request);
    else request.end();
  });
}

function withLength(headers: Record<string, string>, body: TransportRequest["body"]) {
  return typeof body === "string"
    ? { ...headers, "content-length": String(Buffer.byteLength(body)) }
    : headers;
}

async function collect(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw new TransportError("too-large", `the answer is longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const answerOf = (status: number, body: Buffer): TransportAnswer => ({
  status,
  body,
  async json() {
    try {
      return JSON.parse(body.toString("utf8")) as unknown;
    } catch {
      throw new TransportError("unknown", `the server answered ${status} with something that is not JSON`, {
        status,
      });
    }
  },
});

function nameFailure(error: unknown, hasLeft: boolean): TransportError {
  const { code, message } = error as NodeJS.ErrnoException;
  const words = code === undefined ? message : `${code}${knownWords[code] ?? ""}`;
  return new TransportError(hasLeft ? "unknown" : "not-sent", `the connection failed: ${words}`, {
    cause: error,
  });
}

const knownWords: Partial<Record<string, string>> = {
  ENOTFOUND: ", there is no server of that name: is this machine online?",
  EAI_AGAIN: ", names of servers cannot be looked up: is this machine online?",
  ECONNREFUSED: ", nobody listens there",
  ETIMEDOUT: ", no answer",
  ERR_PROXY_TUNNEL: ", the proxy refuses it",
  CERT_HAS_EXPIRED: ", its certificate has expired: is the clock of this machine right?",
  CERT_NOT_YET_VALID: ", its certificate is not valid yet: is the clock of this machine right?",
  DEPTH_ZERO_SELF_SIGNED_CERT: ", nobody vouches for its certificate",
  SELF_SIGNED_CERT_IN_CHAIN: ", nobody vouches for its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ", nobody vouches for its certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: ", its certificate is that of another server",
};
