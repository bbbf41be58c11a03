/**
 * The gateway over WebSocket: the frames of its socket, for remote clients. A client gets little memory and time until
 * it has authenticated. One that does not read is warned and then cut off; one that has silently gone is detected. The
 * library is loaded with the first connection.
 */
import { closeCodes, type Frame, type FrameError, type MethodParams } from "@pincer/sdk";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket, WebSocketServer as Acceptor } from "ws";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { noLonger } from "../infra/no-longer.ts";
import { whenNeeded } from "../infra/when-needed.ts";
import type { Caller } from "../policy/caller.ts";
import type { Admission, Doors, ShownFrom } from "./doors/doors.ts";
import { frameError } from "./frame-error.ts";
import { isForwarded } from "./doors/check-origin.ts";
import { shownBy } from "./doors/shown-by.ts";
import type { StrangerSeats } from "./limits/stranger-seats.ts";
import type { GatewayLog, Rpc, RpcConnection } from "./rpc.ts";

export interface WebSocketLimits {
  frameBytes: number;
  connections: number;
  /** What may come before `connect` was answered. */
  strangerBytes: number;
  connectWithinMs: number;
  /** What a reader may leave unread before they are told, and before they are cut off. */
  slowBytes: number;
  unreadBytes: number;
  /** How often it is asked whether somebody is still there, and whether they may still be. */
  lookEveryMs: number;
}

export interface WebSocketParts {
  rpc: Pick<Rpc, "open">;
  doors: Doors & {
    /** For one connection: what a device that comes by it has to sign, and the name of this gateway. */
    makeChallenge(): Promise<{ challenge: string; gatewayId: string }>;
  };
  limits(): Pick<WebSocketLimits, "frameBytes" | "connections">;
  /** Other bounds than the usual ones. */
  bounds?: Partial<WebSocketLimits>;
  /** Seconds to wait where somebody asks too much; undefined where they do not. */
  takeRate(caller: Caller): number | undefined;
  /** How many connections one address may have on which nobody has signed in; without it, as many as there may be. */
  seats?: Pick<StrangerSeats, "isRefused" | "leave">;
  clock: Clock;
  log: GatewayLog;
}

export interface WebSocketServer {
  /** Takes over a connection that asked to become a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void;
  connections(): number;
  /** What runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

const usualBounds = {
  strangerBytes: 64 * 1024,
  connectWithinMs: 5000,
  slowBytes: 1024 * 1024,
  unreadBytes: 8 * 1024 * 1024,
  lookEveryMs: 15_000,
};

export function createWebSocketServer(parts: WebSocketParts): WebSocketServer {
  const { rpc, doors, clock, log } = parts;
  const bounds = { ...usualBounds, ...parts.bounds };
  const open = new Map<WebSocket, RpcConnection>();
  let isClosed = false;

  const load = whenNeeded(async (): Promise<Acceptor> => {
    const { WebSocketServer: Server } = await import("ws");
    const { frameBytes } = parts.limits();
    // Compression would keep a window of memory for every connection, and leak what is beside a secret.
    return new Server({
      noServer: true,
      maxPayload: frameBytes,
      perMessageDeflate: false,
      clientTracking: false,
    });
  });

  async function accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    address: string,
  ): Promise<void> {
    const from = { address, isForwarded: isForwarded(request.headers) };
    const admission = await doors.admit(shownBy(request.headers), from);
    if (admission.type === "admitted") parts.seats?.leave(socket);
    const challenge = await doors.makeChallenge();
    const acceptor = await load();
    if (socket.destroyed) return;
    acceptor.handleUpgrade(request, socket, head, (webSocket) =>
      welcome(webSocket, socket, { ...from, ...challenge }, admission),
    );
  }

  function welcome(
    webSocket: WebSocket,
    socket: Duplex,
    from: ShownFrom & { challenge: string; gatewayId: string },
    admission: Admission,
  ): void {
    const over = new AbortController();
    let isTold = false;
    let isCut = false;
    let received = 0;

    const connection = rpc.open(write, {
      caller: admission.type === "admitted" ? admission.caller : undefined,
      admit: (auth) => admit(auth, admission, from),
      isStillIn: (caller) => doors.isStillIn(caller),
      takeRate: parts.takeRate,
      admitted(caller) {
        parts.seats?.leave(socket);
        watch(caller);
      },
      end: (why) => cutOff(closeCodes.unauthorized, why),
    });
    open.set(webSocket, connection);

    function write(frame: Frame): void {
      if (webSocket.readyState !== webSocket.OPEN) return;
      const unread = webSocket.bufferedAmount;
      if (unread > bounds.unreadBytes) {
        return cutOff(closeCodes.tooSlow, { code: "INTERNAL_ERROR", message: "Too much is left unread." });
      }
      webSocket.send(JSON.stringify(frame));
      // A client that has caught up is warned again when it falls behind again.
      if (unread === 0) isTold = false;
      if (unread <= bounds.slowBytes || isTold) return;
      isTold = true;
      const slow = {
        type: "event",
        event: "gateway.slow",
        payload: { unreadBytes: unread },
        seq: 0,
      } as const;
      webSocket.send(JSON.stringify(slow satisfies Frame));
    }

    function cutOff(code: number, error: FrameError): void {
      if (isCut) return;
      isCut = true;
      connection.close();
      if (webSocket.readyState === webSocket.OPEN) {
        webSocket.send(JSON.stringify({ type: "res", id: "", ok: false, error } satisfies Frame));
        // The reason of a close has room for 123 bytes.
        webSocket.close(code, Buffer.from(error.message).subarray(0, 120).toString());
      }
      clock.sleep(1000, over.signal).then(
        () => webSocket.terminate(),
        () => {},
      );
    }

    function hear(data: RawData, isBinary: boolean): void {
      if (isBinary) {
        return cutOff(closeCodes.notText, { code: "INVALID_REQUEST", message: "Frames are text." });
      }
      connection.receive((data as Buffer).toString());
    }

    /** Looks now and then whether they are still there and may still be. */
    function watch(caller: Caller): void {
      let isThere = true;
      webSocket.on("pong", () => (isThere = true));
      void (async () => {
        for (;;) {
          await clock.sleep(bounds.lookEveryMs, over.signal);
          if (!isThere) return webSocket.terminate();
          isThere = false;
          webSocket.ping();
          // Where nobody can tell now, the next look does.
          if (!(await doors.isStillIn(caller).catch(() => true))) {
            const why = frameError(failure("gateway/unauthorized", "gateway.no-longer-in"));
            return cutOff(closeCodes.unauthorized, why);
          }
        }
      })().catch(() => {
        // Closed: that is how it ends.
      });
    }

    webSocket.on("message", hear);
    // Each is answered by the library, whether anybody reads the answers or not.
    webSocket.on("ping", () => {
      if (webSocket.bufferedAmount > bounds.unreadBytes) webSocket.terminate();
    });
    webSocket.on("error", () => {
      // The library has sent a close that says what was wrong; a client that does not read it is not waited for.
      clock.sleep(1000, over.signal).then(
        () => webSocket.terminate(),
        () => {},
      );
    });
    webSocket.on("close", () => {
      open.delete(webSocket);
      connection.close();
      over.abort(noLonger);
    });
    socket.on("data", (chunk: Buffer) => {
      if (connection.isConnected()) return;
      received += chunk.length;
      if (received > bounds.strangerBytes) {
        cutOff(closeCodes.tooLarge, {
          code: "INVALID_REQUEST",
          message: "Too much before connect was answered.",
        });
      }
    });

    if (isClosed || open.size > parts.limits().connections) {
      if (!isClosed) log.warn("too many connections over WebSocket");
      return cutOff(closeCodes.tooMany, { code: "FORBIDDEN", message: "There are too many connections." });
    }
    if (parts.seats?.isRefused(socket)) {
      const message = "There are too many connections from your address; try again later.";
      return cutOff(closeCodes.tooMany, { code: "FORBIDDEN", message });
    }
    write({
      type: "event",
      event: "connect.challenge",
      payload: { challenge: from.challenge, gatewayId: from.gatewayId },
      seq: 0,
    });
    clock.sleep(bounds.connectWithinMs, over.signal).then(
      () => {
        if (connection.isConnected()) return;
        cutOff(closeCodes.tooLate, { code: "AUTH_REQUIRED", message: "connect came too late." });
      },
      () => {},
    );
  }

  async function admit(
    auth: MethodParams<"connect">["auth"],
    before: Admission,
    from: ShownFrom,
  ): Promise<Caller> {
    const shown = { bearer: auth?.token, device: auth?.device };
    const isShown = shown.bearer !== undefined || shown.device !== undefined;
    const admission = isShown ? await doors.admit(shown, from) : before;
    if (admission.type === "admitted") return admission.caller;
    throw refusalOf(admission);
  }

  let closing: Promise<void> | undefined;
  async function close(withinMs: number): Promise<void> {
    isClosed = true;
    const bound = new AbortController();
    const late = clock.sleep(withinMs, bound.signal).catch(() => undefined);
    const ended = Array.from(open, async ([webSocket, connection]) => {
      const closed = new Promise((resolve) => webSocket.once("close", resolve));
      await Promise.race([connection.drain(), late]);
      webSocket.close(closeCodes.goingAway, "The gateway is stopping; connect again in a moment.");
      await Promise.race([closed, late]);
    });
    await Promise.all(ended);
    bound.abort(noLonger);
    for (const webSocket of open.keys()) webSocket.terminate();
  }

  return {
    upgrade(request, socket, head, address) {
      accept(request, socket, head, address).catch((error: unknown) => {
        log.error(`WebSocket: ${error instanceof Error ? error.message : String(error)}`);
        socket.destroy();
      });
    },
    connections: () => open.size,
    close: (withinMs) => (closing ??= close(withinMs)),
  };
}

function refusalOf(admission: Exclude<Admission, { type: "admitted" }>): Error {
  switch (admission.type) {
    case "pending":
      return failure(
        "gateway/unauthorized",
        "gateway.device-pending",
        { code: admission.code },
        { hint: "gateway.device-pending.hint" },
      );
    case "too-many-tries":
      return failure("gateway/busy", "gateway.too-many-tries", { seconds: admission.retryAfterSeconds });
    case "nothing-shown":
    case "refused":
      return failure(
        "gateway/unauthorized",
        "gateway.unauthorized",
        {},
        { hint: "gateway.unauthorized.hint" },
      );
  }
}
