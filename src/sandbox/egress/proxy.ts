/**
 * The network access of sandboxed programs: an HTTP proxy behind a Unix socket. It forwards to hosts that the owner
 * allowed for programs, and dials each through the broker with all its checks. The content of a tunnel is not
 * inspected.
 */
import type http from "node:http";
import { pipeline, type Duplex } from "node:stream";
import { EgressError, type Egress } from "./egress.ts";
import { isNamed, readHost, type Place } from "./host-rules.ts";
import { placeSocket } from "./proxy-socket.ts";

export interface EgressProxyParts {
  egress: Pick<Egress, "dial">;
  /** A directory of the home; made if it is not there. The socket's own name in it is chosen here. */
  directory: string;
  /** tools.exec.network.allow, as it is when a program asks. Empty lets nothing through. */
  allow(): readonly string[];
  /** At once; 64 unless told. */
  maxConnections?: number;
}

export interface EgressProxy {
  /** Where it listens: for this user alone. */
  socket: string;
  /** Since it began. */
  counts(): { passed: number; refused: number };
  /** Ends what is open, and removes the socket. Safe to call twice. */
  close(): Promise<void>;
}

/** Throws the system's error where it cannot listen. The caller closes it. */
export async function openEgressProxy(parts: EgressProxyParts): Promise<EgressProxy> {
  const { egress, allow, maxConnections = 64 } = parts;
  const place = await placeSocket(parts.directory);
  const closing = new AbortController();
  const open = new Set<Duplex>();
  const counts = { passed: 0, refused: 0 };

  const { createServer, request: send } = process.getBuiltinModule("node:http");
  const server = createServer({ headersTimeout: 15_000, requestTimeout: 0, maxHeaderSize: 32 * 1024 });
  server.maxConnections = maxConnections;
  server.on("connection", (socket) => {
    keep(socket);
    socket.setTimeout(longestSilenceMs, () => socket.destroy());
  });
  server.on("connect", (request, client, head) => void tunnel(request, client, head));
  server.on("request", (request, response) => void forward(request, response));
  server.on("clientError", (_, socket) => socket.destroy());
  // Without a listener Node would pass the bytes behind an upgrade on unread.
  server.on("upgrade", (_, socket) => refuse(socket, 501, "only CONNECT leads to what is not HTTP"));
  await listen(server, place.socket);
  await place.protect();

  async function tunnel(request: http.IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on("error", () => client.destroy());
    try {
      const far = await dial(readAuthority(request.url ?? ""), client);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.write(head);
      client.pipe(far);
      far.pipe(client);
      // Also where it breaks off; what was read before is still delivered.
      far.once("close", () => client.end());
    } catch (error) {
      const { status, line } = describe(error);
      refuse(client, status, line);
    }
  }

  async function forward(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    response.on("error", () => response.destroy());
    try {
      const url = readAbsolute(request.url ?? "");
      const far = await dial({ host: readHostOf(url.hostname), port: Number(url.port || "80") }, response);
      const headers = { ...endToEnd(request.headers), host: url.host, connection: "close" };
      const path = `${url.pathname}${url.search}`;
      const passed = send({
        method: request.method,
        path,
        headers,
        setHost: false,
        createConnection: () => far,
      });
      passed.on("error", () => response.destroy());
      passed.on("upgrade", (_, socket) => socket.destroy());
      passed.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...endToEnd(answer.headers), connection: "close" });
        pipeline(answer, response, () => undefined);
      });
      pipeline(request, passed, () => undefined);
    } catch (error) {
      const { status, line } = describe(error);
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(`${line}\n`);
    }
  }

  async function dial(to: Place, client: Duplex | http.ServerResponse): Promise<Duplex> {
    const gone = new AbortController();
    client.once("close", () => gone.abort(new Error("the program has gone")));
    try {
      if (!isNamed(to, allow())) throw new EgressError("refused", notNamed(to));
      const far = await egress.dial(to, { allow: allow() }, AbortSignal.any([gone.signal, closing.signal]));
      far.on("error", () => far.destroy());
      client.once("close", () => far.destroy());
      keep(far);
      counts.passed += 1;
      return far;
    } catch (error) {
      if (error instanceof EgressError && error.code === "refused") counts.refused += 1;
      throw error;
    }
  }

  function keep(stream: Duplex): void {
    open.add(stream);
    stream.once("close", () => open.delete(stream));
  }

  let closed: Promise<void> | undefined;
  return {
    socket: place.socket,
    counts: () => ({ ...counts }),
    close: () =>
      (closed ??= (async () => {
        closing.abort(new Error("the proxy closes"));
        const ended = new Promise<void>((resolve) => server.close(() => resolve()));
        for (const stream of open) stream.destroy();
        await ended;
        await place.remove();
      })()),
  };
}

/** An idle tunnel is closed after this time. */
const longestSilenceMs = 15 * 60_000;

const notNamed = ({ host, port }: Place): string =>
  `${host} on port ${port} is not among the hosts that programs may reach; the owner can add it to tools.exec.network.allow`;

function readAuthority(text: string): Place {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  return { host: readHostOf(name), port: Number(port) };
}

function readAbsolute(text: string): URL {
  const url = URL.parse(text);
  if (!url || url.protocol !== "http:" || url.username !== "" || url.password !== "")
    throw new EgressError("refused", "this is a proxy: it takes CONNECT, or a whole http address");
  return url;
}

function readHostOf(text: string): string {
  const host = readHost(text);
  if (host === undefined) throw new EgressError("refused", "that is not the name of a host");
  return host;
}

function describe(error: unknown): { status: number; line: string } {
  if (!(error instanceof EgressError)) return { status: 502, line: "Pincer: the connection was not made" };
  const statuses = { refused: 403, unavailable: 502, "timed-out": 504, "too-many-redirects": 502 };
  return { status: statuses[error.code], line: `Pincer: ${error.message}` };
}

function refuse(client: Duplex, status: number, line: string): void {
  const reason = process.getBuiltinModule("node:http").STATUS_CODES[status] ?? "";
  const body = `${line}\n`;
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  client.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** What concerns one connection alone is not passed on, nor what it says of others that do. */
function endToEnd(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const isOfOne = (name: string) =>
    name.startsWith("proxy-") || hopByHop.includes(name) || named.includes(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfOne(name)));
}

const hopByHop = ["connection", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"];

function listen(server: http.Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
