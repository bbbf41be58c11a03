/**
 * Sends JSON requests over node:http and node:https: Node's own fetch would cost a third of a small gateway's memory.
 * Follows no redirects, because the headers contain a key, and limits the size of answers.
 */
import type http from "node:http";
import { systemClock, type Clock } from "../../infra/clock.ts";

export interface JsonRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON by POST; without it the address is read. */
  body?: unknown;
  /** From the first byte asked to the last one answered. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface JsonAsker {
  /**
   * Any answer of the server, errors included. Throws the signal's reason, an error that says why there is no answer,
   * or a RangeError if it is too large.
   */
  ask(request: JsonRequest): Promise<RawAnswer>;
  /** Gives up the connections that are kept. Safe to call twice. */
  close(): void;
}

/** Far more than any batch of vectors. */
const mostBytes = 64 * 1024 * 1024;
const idleSocketMs = 15_000;

export function createJsonAsker({
  clock = systemClock,
  maxBytes = mostBytes,
}: { clock?: Clock; maxBytes?: number } = {}): JsonAsker {
  const agents = new Map<string, http.Agent>();

  function agentFor(protocol: string): http.Agent {
    const known =
      agents.get(protocol) ?? new (moduleFor(protocol).Agent)({ keepAlive: true, timeout: idleSocketMs });
    agents.set(protocol, known);
    return known;
  }

  async function ask(request: JsonRequest, agent: http.Agent | undefined): Promise<RawAnswer> {
    request.signal.throwIfAborted();
    const over = new AbortController();
    const abort = () => over.abort(request.signal.reason);
    request.signal.addEventListener("abort", abort, { once: true });
    const done = new AbortController();
    const timeout = new Error(`no answer within ${Math.round(request.timeoutMs / 1000)} s`);
    clock.sleep(request.timeoutMs, done.signal).then(
      () => over.abort(timeout),
      () => undefined,
    );
    try {
      return await exchange(request, { agent, signal: over.signal, maxBytes });
    } catch (error) {
      if (over.signal.aborted) throw over.signal.reason;
      // The server had closed the kept connection: retry on a new one. Computing vectors twice is harmless.
      if (agent && error instanceof StaleConnection) return await ask(request, undefined);
      throw error;
    } finally {
      request.signal.removeEventListener("abort", abort);
      done.abort();
    }
  }

  return {
    ask: async (request) => ask(request, agentFor(new URL(request.url).protocol)),
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

class StaleConnection extends Error {}

// Not imported: an import of node:http reads all that it exports, and its `WebSocket` loads the whole of Node's own fetch.
const moduleFor = (protocol: string): Pick<typeof http, "request" | "Agent"> =>
  process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");

interface Way {
  agent: http.Agent | undefined;
  signal: AbortSignal;
  maxBytes: number;
}

function exchange({ url, headers, body }: JsonRequest, { agent, signal, maxBytes }: Way): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const address = new URL(url);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = moduleFor(address.protocol).request(address, {
    method: text === undefined ? "GET" : "POST",
    agent: agent ?? false,
    signal,
    headers: {
      accept: "application/json",
      // What is compressed would have to be unpacked with a limit of its own.
      "accept-encoding": "identity",
      ...(text === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...headers,
    },
  });
  sent.on("error", (error: NodeJS.ErrnoException) =>
    reject(sent.reusedSocket && error.code === "ECONNRESET" ? new StaleConnection(error.code) : error),
  );
  sent.on("response", (response) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes <= maxBytes) return void parts.push(part);
      reject(new RangeError(`the answer is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`));
      sent.destroy();
    });
    response.on("error", reject);
    response.on("close", () => reject(new Error("the connection broke off in the middle of the answer")));
    response.on("end", () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(parts).toString("utf8"),
      }),
    );
  });
  sent.end(text);
  return promise;
}
