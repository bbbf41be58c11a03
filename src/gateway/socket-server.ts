/**
 * The gateway's socket in the home: only for its owner, one frame of JSON per line. A client that sends nothing, sends
 * too much at once or does not read is cut off, so that nobody can make the gateway wait or fill its memory.
 */
import { largestFrameBytes, type Frame, type FrameError } from "@pincer/sdk";
import { lstat, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { createFrameLines } from "../client/frame-lines.ts";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { ownerCaller } from "../policy/caller.ts";
import type { GatewayLog, Rpc, RpcConnection } from "./rpc.ts";

export interface SocketLimits {
  frameBytes: number;
  /** The limit before `connect`: unauthenticated clients get little memory. */
  strangerBytes: number;
  /** What a reader may leave unread. */
  unreadBytes: number;
  connections: number;
  connectWithinMs: number;
  /** How often it is looked whether the socket is still there. */
  lookEveryMs: number;
}

export interface SocketServerParts {
  path: string;
  rpc: Pick<Rpc, "open">;
  tenantId: string;
  clock: Clock;
  log: GatewayLog;
  limits?: Partial<SocketLimits>;
}

export interface SocketServer {
  connections(): number;
  /** No new connections and requests; what runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

const usualLimits: SocketLimits = {
  frameBytes: largestFrameBytes,
  strangerBytes: 64 * 1024,
  unreadBytes: 8 * 1024 * 1024,
  connections: 64,
  connectWithinMs: 5000,
  lookEveryMs: 2000,
};

/** The system has room for no more in the address of a socket. */
const longestPath = process.platform === "linux" ? 107 : 103;

/** To be called with the gateway's lock held: a socket that is found there belonged to a gateway that has died. Throws `storage/unavailable`. */
export async function listenOnSocket(parts: SocketServerParts): Promise<SocketServer> {
  const { path, rpc, clock, log } = parts;
  const limits = { ...usualLimits, ...parts.limits };
  await makeWay(path);
  const sockets = new Map<Socket, RpcConnection>();

  function welcome(socket: Socket): void {
    const lines = createFrameLines(limits.frameBytes);
    // The socket is the owner's own file: a process that can open it acts as the owner.
    const connection = rpc.open(write, { caller: ownerCaller(parts.tenantId, "socket") });
    const over = new AbortController();
    sockets.set(socket, connection);

    function write(frame: Frame): void {
      if (!socket.writable) return;
      if (socket.writableLength > limits.unreadBytes) {
        return cutOff(socket, { code: "INTERNAL_ERROR", message: "Too much is left unread." });
      }
      // What is said in one go leaves in one go: an answer often comes with an event before it.
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      socket.write(`${JSON.stringify(frame)}\n`);
    }

    function cutOff(end: Socket, error: FrameError): void {
      connection.close();
      end.end(`${JSON.stringify({ type: "res", id: "", ok: false, error } satisfies Frame)}\n`);
      // Clients that read learn why; those that do not are not waited for.
      clock.sleep(1000, over.signal).then(
        () => end.destroy(),
        () => {},
      );
    }

    let received = 0;
    socket.on("data", (chunk) => {
      if (!socket.writable) return;
      received += chunk.length;
      const found = lines.push(chunk);
      if (found !== "too-long") for (const line of found) if (line.trim() !== "") connection.receive(line);
      const isTooMuch =
        found === "too-long" || (!connection.isConnected() && received > limits.strangerBytes);
      if (isTooMuch) cutOff(socket, { code: "INVALID_REQUEST", message: "The frame is too large." });
    });
    // What the other side does to the connection ends it, and that is all.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      connection.close();
      over.abort();
    });

    if (sockets.size > limits.connections) {
      log.warn(`more than ${limits.connections} connections to ${path}`);
      return cutOff(socket, { code: "FORBIDDEN", message: "There are too many connections." });
    }
    clock.sleep(limits.connectWithinMs, over.signal).then(
      () => {
        if (!connection.isConnected())
          cutOff(socket, { code: "AUTH_REQUIRED", message: "connect came too late." });
      },
      () => {},
    );
  }

  async function open(): Promise<{ server: Server; inode: number }> {
    const server = createServer(welcome);
    await listen(server, path);
    server.on("error", (error) => log.error(`${path}: ${error.message}`));
    const made = await lstat(path).catch((error: unknown) => {
      server.close();
      throw error;
    });
    return { server, inode: made.ino };
  }

  let { server, inode } = await open();
  const servers = new Set([server]);
  const kept = new AbortController();

  /** Puts the socket back when somebody cleared it away: without it nobody could speak to a gateway that runs. */
  async function keep(): Promise<void> {
    let said = false;
    for (;;) {
      await clock.sleep(limits.lookEveryMs, kept.signal);
      const found = await lstat(path).catch(() => undefined);
      // Closing clears the socket away too, perhaps between the look and here.
      if (kept.signal.aborted) return;
      if (found?.ino === inode) continue;
      try {
        if (found) await makeWay(path);
        ({ server, inode } = await open());
        servers.add(server);
        if (kept.signal.aborted) return void server.close();
        log.warn(`${path} was gone and is back`);
        said = false;
      } catch (error) {
        if (!said) log.error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        said = true;
      }
    }
  }
  keep().catch(() => {
    // Closed: that is how it ends.
  });

  let closing: Promise<void> | undefined;
  return {
    connections: () => sockets.size,
    close(withinMs) {
      closing ??= new Promise((resolve) => {
        const bound = new AbortController();
        kept.abort();
        const ended = Array.from(servers, (each) => new Promise<void>((done) => each.close(() => done())));
        void Promise.all(ended).then(() => {
          bound.abort();
          resolve();
        });
        for (const [socket, connection] of sockets) void connection.drain().then(() => socket.end());
        clock.sleep(withinMs, bound.signal).then(
          () => sockets.forEach((_connection, socket) => socket.destroy()),
          () => {},
        );
      });
      return closing;
    },
  };
}

async function makeWay(path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPath) {
    throw failure(
      "storage/unavailable",
      "gateway.socket-path",
      { path, bytes, most: longestPath },
      { hint: "gateway.socket-path.hint" },
    );
  }
  const found = await lstat(path).catch(() => undefined);
  if (found && !found.isSocket()) {
    throw failure(
      "storage/unavailable",
      "gateway.socket-taken",
      { path },
      { hint: "gateway.socket-taken.hint" },
    );
  }
  await rm(path, { force: true });
}

/** The socket is made with the mode that it keeps, so that there is no moment in which others could come in. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        failure(
          "storage/unavailable",
          "gateway.socket-failed",
          { path, reason: error.message },
          { hint: "gateway.socket-taken.hint", cause: error },
        ),
      );
    server.once("error", fail);
    const before = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off("error", fail);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}
