/**
 * The HTTP and WebSocket server on a port of this machine, with doors that know a few tokens, and the methods and
 * routes of the test.
 */
import type { Frame } from "@pincer/sdk";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocket, type ClientOptions } from "ws";
import { defaultConfig } from "../../config/default-config.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import type { Caller, CallerScope, WayIn } from "../../policy/caller.ts";
import { roles, type Role } from "../../policy/permission-points.ts";
import type { Admission, Shown } from "../doors/doors.ts";
import { createEventBus, type EventBus } from "../event-bus.ts";
import { listenOnHttp, type HttpLimits, type HttpServerParts } from "../http/http-server.ts";
import type { HttpRoute } from "../http/http-route.ts";
import { createRequestChecks } from "../http/request-checks.ts";
import type { StrangerSeats } from "../limits/stranger-seats.ts";
import type { MethodHandlers } from "../method-calls.ts";
import { createRpc, type Rpc } from "../rpc.ts";
import { createWebSocketServer, type WebSocketLimits, type WebSocketParts } from "../websocket-server.ts";

export interface TestServer {
  port: number;
  url: string;
  said: string[];
  bus: EventBus;
  rpc: Rpc;
  connections(): number;
  webSockets(): number;
  /** From now on the token does not count any more. */
  revoke(bearer: string): void;
  close(withinMs: number): Promise<void>;
  /** One request; the body as text. */
  ask(path: string, given?: Asked): Promise<Answered>;
  /** A bare connection; what is written is what is sent. */
  dial(): Promise<BareLine>;
  /** A WebSocket that has been opened; nothing has been said yet but the challenge, which is taken. */
  open(options?: ClientOptions): Promise<FrameLine>;
  /** One that has said hello with a token. */
  meet(bearer?: string): Promise<FrameLine>;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export interface BareLine {
  socket: Socket;
  /** Everything that came until the other side hung up. */
  rest(): Promise<string>;
}

export interface FrameLine {
  webSocket: WebSocket;
  challenge: string;
  write(frame: unknown): void;
  /** The next frame; undefined once the connection is closed. */
  next(): Promise<Frame | undefined>;
  ask(method: string, params?: object): Promise<Frame | undefined>;
  closed: Promise<{ code: number; reason: string }>;
}

export interface TestServerParts {
  methods?: Partial<MethodHandlers>;
  routes?: HttpRoute[];
  clock?: Clock;
  limits?: Partial<HttpLimits>;
  bounds?: Partial<WebSocketLimits>;
  /** How many there may be. */
  webSockets?: number;
  takeRate?: HttpServerParts["takeRate"];
  seats?: StrangerSeats;
  trustedProxies?: string[];
  doors?: WebSocketParts["doors"];
}

export const tokenOf = (role: Role, scope?: string): string =>
  scope === undefined ? `token-${role}` : `token-${role}-${scope}`;

export const callerAs = (
  role: Role,
  way: WayIn = "token",
  scope: CallerScope = { type: "tenant" },
): Caller => ({
  id: role === "owner" ? "owner" : `${way}:${role}`,
  name: role,
  role,
  way,
  tenantId: "t_default",
  scope,
});

/** Doors that let in `token-<role>`, perhaps with `-<agent>` behind it, and the cookie `session`, which is the owner's. */
export function createTestDoors(): WebSocketParts["doors"] & { revoke(bearer: string): void } {
  const revoked = new Set<string>();
  const callers = new Map<string, Caller>();

  function callerBy({ bearer, cookie }: Shown): Caller | undefined {
    const shown = bearer ?? (cookie === "session" ? "cookie" : "");
    const [, role, agent] = /^token-(\w+?)(?:-(\w+))?$/.exec(shown) ?? [];
    const known = roles.find((each) => each === role);
    if (revoked.has(shown) || (!known && shown !== "cookie")) return undefined;
    const scope: CallerScope =
      agent === undefined ? { type: "tenant" } : { type: "agent", agentIds: [agent] };
    const caller =
      callers.get(shown) ?? callerAs(known ?? "owner", shown === "cookie" ? "code" : "token", scope);
    callers.set(shown, caller);
    return caller;
  }

  return {
    revoke: (bearer) => void revoked.add(bearer),
    async admit(shown): Promise<Admission> {
      if (shown.device) return { type: "pending", code: "K7Q2" };
      if (shown.bearer === undefined && shown.cookie === undefined) return { type: "nothing-shown" };
      if (shown.bearer === "too-often") return { type: "too-many-tries", retryAfterSeconds: 7 };
      const caller = callerBy(shown);
      return caller ? { type: "admitted", caller } : { type: "refused" };
    },
    makeChallenge: async () => ({ challenge: randomBytes(24).toString("base64url"), gatewayId: "gateway" }),
    isStillIn: async (caller) =>
      [...callers].some(([shown, known]) => known === caller && !revoked.has(shown)),
  };
}

export async function startTestServer(given: TestServerParts = {}): Promise<TestServer> {
  const clock = given.clock ?? systemClock;
  const said: string[] = [];
  const log = {
    warn: (message: string) => void said.push(message),
    error: (message: string) => void said.push(message),
  };
  const ownDoors = createTestDoors();
  const doors = given.doors ?? ownDoors;
  const bus = createEventBus({ clock });
  const rpc = createRpc({
    methods: given.methods ?? {},
    about: { version: "0", pid: 1, startedAt: "2026-01-01T12:00:00.000Z", language: () => "en" },
    hide: (payload) => payload,
    lookups: {
      agentOfSession: async (key) => key.split(":")[0],
      agentOfRun: async (runId) => runId.split(":")[0],
    },
    bus,
    clock,
    log,
  });
  const takeRate = given.takeRate ?? (() => undefined);
  const webSockets = createWebSocketServer({
    rpc,
    doors,
    limits: () => ({ frameBytes: 1024 * 1024, connections: given.webSockets ?? 3000 }),
    bounds: given.bounds ?? {},
    takeRate: (caller) => takeRate({ caller }),
    ...(given.seats ? { seats: given.seats } : {}),
    clock,
    log,
  });
  const server = await listenOnHttp({
    addresses: [{ host: "127.0.0.1", port: 0 }],
    routes: given.routes ?? [],
    doors,
    checks: createRequestChecks(() => ({
      gateway: {
        ...defaultConfig.gateway,
        trustedProxies: given.trustedProxies ?? [],
      },
    })),
    limits: () => ({ connections: 3000, bodyBytes: 64 * 1024, arriveWithinMs: 60_000, ...given.limits }),
    takeRate,
    ...(given.seats ? { seats: given.seats } : {}),
    upgrade: webSockets.upgrade,
    clock,
    log,
  });
  const port = server.addresses[0]?.port ?? 0;
  const opened: Array<{ destroy(): void }> = [];

  async function close(withinMs: number): Promise<void> {
    await webSockets.close(withinMs);
    await server.close(withinMs);
  }
  onTestFinished(async () => {
    for (const each of opened) each.destroy();
    // By real time or none: a clock that stands still would keep everybody waiting.
    await Promise.all([
      webSockets.close(0),
      server.close(0),
      (clock as { advance?(ms: number): void }).advance?.(1),
    ]);
  });

  async function dial(): Promise<BareLine> {
    const socket = connect(port, "127.0.0.1");
    opened.push(socket);
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    socket.on("error", () => {});
    await once(socket, "connect");
    return {
      socket,
      rest: async () => {
        if (!socket.closed) await once(socket, "close");
        return text;
      },
    };
  }

  async function ask(path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answered> {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const line = await dial();
    const all = {
      host: `127.0.0.1:${port}`,
      connection: "close",
      ...(bytes ? { "content-length": String(bytes.length) } : {}),
      ...headers,
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    line.socket.write(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
    if (bytes) line.socket.write(bytes);
    return readAnswer(await line.rest());
  }

  async function open(options: ClientOptions = {}): Promise<FrameLine> {
    const webSocket = new WebSocket(`ws://127.0.0.1:${port}/ws`, options);
    opened.push({ destroy: () => webSocket.terminate() });
    const line = listenTo(webSocket);
    const first = await line.next();
    const payload = first?.type === "event" ? (first.payload as { challenge?: string }) : {};
    return { ...line, challenge: payload.challenge ?? "" };
  }

  async function meet(bearer = tokenOf("owner")): Promise<FrameLine> {
    const line = await open();
    await line.ask("connect", { ...hello, auth: { token: bearer } });
    return line;
  }

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    said,
    bus,
    rpc,
    connections: server.connections,
    webSockets: webSockets.connections,
    revoke: ownDoors.revoke,
    close,
    ask,
    dial,
    open,
    meet,
  };
}

export const hello = { protocol: 1, client: { name: "test", version: "0" } };

function listenTo(webSocket: WebSocket): Omit<FrameLine, "challenge"> {
  const arrived: Array<Frame | undefined> = [];
  const waiting: Array<(frame: Frame | undefined) => void> = [];
  const put = (frame: Frame | undefined) => {
    const taker = waiting.shift();
    if (taker) taker(frame);
    else arrived.push(frame);
  };
  const end = Promise.withResolvers<{ code: number; reason: string }>();
  webSocket.on("message", (data) => put(JSON.parse(String(data)) as Frame));
  webSocket.on("error", () => {});
  webSocket.on("close", (code, reason) => {
    end.resolve({ code, reason: String(reason) });
    put(undefined);
  });
  const next = (): Promise<Frame | undefined> =>
    arrived.length > 0 || webSocket.readyState === WebSocket.CLOSED
      ? Promise.resolve(arrived.shift())
      : new Promise((resolve) => waiting.push(resolve));
  const write = (frame: unknown) => webSocket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  return {
    webSocket,
    write,
    next,
    closed: end.promise,
    ask(method, params = {}) {
      write({ type: "req", id: method, method, params });
      return next();
    },
  };
}

function readAnswer(text: string): Answered {
  const at = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, at).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const body = text.slice(at + 4);
  return {
    status: Number(first.split(" ")[1] ?? 0),
    headers,
    text: headers["transfer-encoding"] === "chunked" ? unchunk(body) : body,
  };
}

function unchunk(body: string): string {
  const size = Number.parseInt(body, 16);
  const at = body.indexOf("\r\n") + 2;
  return size > 0 ? body.slice(at, at + size) + unchunk(body.slice(at + size + 2)) : "";
}
