/** A socket in a temporary directory with whatever methods a test gives it, and bare connections to it. */
import type { Frame } from "@pincer/sdk";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFrameLines } from "../../client/frame-lines.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { createEventBus } from "../event-bus.ts";
import type { MethodHandlers } from "../method-calls.ts";
import { createRpc } from "../rpc.ts";
import { listenOnSocket, type SocketLimits, type SocketServer } from "../socket-server.ts";

export interface TestGateway {
  path: string;
  directory: string;
  server: SocketServer;
  /** What was logged. */
  said: string[];
  /** A bare connection. */
  dial(): Promise<Line>;
  /** A connection that has said hello. */
  meet(): Promise<Line>;
}

export interface Line {
  socket: Socket;
  write(...frames: unknown[]): void;
  /** The next frame; undefined once the other side has hung up. */
  next(): Promise<Frame | undefined>;
}

export const hello = {
  type: "req",
  id: "hello",
  method: "connect",
  params: { protocol: 1, client: { name: "test", version: "0" } },
};

export async function startTestGateway(given: {
  methods?: Partial<MethodHandlers>;
  clock?: Clock;
  limits?: Partial<SocketLimits>;
  hide?: <Payload>(payload: Payload) => Payload;
  directory?: string;
}): Promise<TestGateway> {
  const directory = given.directory ?? (await mkdtemp(join(tmpdir(), "pincer-socket-")));
  const path = join(directory, "gateway.sock");
  const clock = given.clock ?? systemClock;
  const said: string[] = [];
  const log = {
    warn: (message: string) => void said.push(message),
    error: (message: string) => void said.push(message),
  };
  const rpc = createRpc({
    methods: given.methods ?? {},
    about: {
      version: "0.0.0-test",
      pid: process.pid,
      startedAt: "2026-01-01T12:00:00.000Z",
      language: () => "auto",
    },
    hide: given.hide ?? ((payload) => payload),
    bus: createEventBus({ clock }),
    clock,
    log,
  });
  const server = await listenOnSocket({
    path,
    rpc,
    tenantId: "t_default",
    clock,
    log,
    ...(given.limits ? { limits: given.limits } : {}),
  });
  const open: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await server.close(0);
    await rm(directory, { recursive: true, force: true });
  });

  async function dial(): Promise<Line> {
    const socket = connect(path);
    open.push(socket);
    const line = listenTo(socket);
    await once(socket, "connect");
    return line;
  }
  return {
    path,
    directory,
    server,
    said,
    dial,
    async meet() {
      const line = await dial();
      line.write(hello);
      await line.next();
      return line;
    },
  };
}

function listenTo(socket: Socket): Line {
  const lines = createFrameLines(Number.MAX_SAFE_INTEGER);
  const arrived: Array<Frame | undefined> = [];
  const waiting: Array<(frame: Frame | undefined) => void> = [];
  const put = (frame: Frame | undefined) => {
    const taker = waiting.shift();
    if (taker) taker(frame);
    else arrived.push(frame);
  };
  socket.on("data", (chunk) => {
    for (const line of lines.push(chunk)) put(JSON.parse(line) as Frame);
  });
  socket.on("error", () => {});
  socket.on("close", () => put(undefined));
  return {
    socket,
    write: (...frames) => void socket.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join("")),
    next: () =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve)),
  };
}
