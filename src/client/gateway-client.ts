/**
 * The client of a home's gateway, over its socket. Kept light, since every command that finds a gateway loads it: it
 * validates nothing, because both ends are ours and the versions are compared first.
 */
import {
  largestFrameBytes,
  protocolVersion,
  type Frame,
  type MethodName,
  type MethodParams,
  type MethodResults,
  type PincerError,
  type ResponseFrame,
  type WelcomeView,
} from "@pincer/sdk";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { failure } from "../infra/failure.ts";
import { errorFromFrame } from "./error-from-frame.ts";
import { createFrameLines } from "./frame-lines.ts";

export interface GatewayAddress {
  socketPath: string;
  clientName: string;
  version: string;
  /** How long the gateway may take to say hello. */
  timeoutMs: number;
}

export interface RequestOptions {
  /** Stops waiting; what runs in the gateway ends when the connection closes. */
  signal?: AbortSignal;
  /** Told what happens while the answer is not ready. */
  onEvent?: (event: string, payload: unknown) => void;
}

export interface GatewayClient {
  /** Who answered. */
  about: WelcomeView;
  /** Throws the gateway's own PincerError, `gateway/stopped` when it went away before answering, or the signal's reason. */
  request<Name extends MethodName>(
    method: Name,
    params: MethodParams<Name>,
    options?: RequestOptions,
  ): Promise<MethodResults[Name]>;
  /** Resolves when the connection has ended, from either side. */
  closed: Promise<void>;
  /** Safe to call twice. */
  close(): void;
}

/** Answers may be larger than requests: the gateway is trusted by its own client. */
const largestAnswerBytes = 16 * largestFrameBytes;

/**
 * Undefined when no gateway listens. Throws `gateway/unreachable` when one does and does not answer, `gateway/protocol` when it
 * speaks another version.
 */
export async function connectGateway(address: GatewayAddress): Promise<GatewayClient | undefined> {
  const { socketPath, clientName, version, timeoutMs } = address;
  const socket = await reach(socketPath);
  if (!socket) return undefined;
  const talk = startTalk(socket, version);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const client = { name: clientName, version };
    const about = await talk.request("connect", { protocol: protocolVersion, client }, { signal });
    talk.meet(about);
    return { about, request: talk.request, closed: talk.closed, close: () => socket.destroy() };
  } catch (error) {
    socket.destroy();
    const farewell = talk.farewell();
    if (farewell) throw farewell;
    if (!(error instanceof DOMException) && !isGone(error)) throw error;
    throw failure(
      "gateway/unreachable",
      "gateway.unreachable",
      { path: socketPath, seconds: timeoutMs / 1000 },
      { hint: "gateway.unreachable.hint", cause: error },
    );
  }
}

/** Whose refusal it is: that of the socket, or already that of the home around it. */
export async function refused(
  path: string,
  cause: unknown,
  mayEnter: (directory: string) => Promise<boolean> = canEnter,
): Promise<PincerError> {
  const home = dirname(path);
  return (await mayEnter(home))
    ? failure(
        "gateway/unreachable",
        "gateway.of-another",
        { path },
        { hint: "gateway.of-another.hint", cause },
      )
    : failure("storage/unavailable", "home.closed", { path: home }, { hint: "home.closed.hint", cause });
}

const canEnter = (directory: string): Promise<boolean> =>
  access(directory, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Undefined when nobody listens: there is no file, or the one that is there was left by a gateway that has died. */
async function reach(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    socket.destroy();
    const { code = "" } = error as NodeJS.ErrnoException;
    if (nobodyThere.has(code)) return undefined;
    if (code === "EACCES" || code === "EPERM") throw await refused(path, error);
    throw failure(
      "gateway/unreachable",
      "gateway.no-way",
      { path, reason: (error as Error).message },
      { hint: "gateway.unreachable.hint", cause: error },
    );
  }
}

// Too long a name is one that no gateway could have listened on.
const nobodyThere = new Set(["ENOENT", "ECONNREFUSED", "ENOTDIR", "ENOTSOCK", "ENAMETOOLONG", "EINVAL"]);

interface Waiting {
  resolve(payload: unknown): void;
  reject(error: unknown): void;
  onEvent: ((event: string, payload: unknown) => void) | undefined;
}

function startTalk(socket: Socket, ownVersion: string) {
  const lines = createFrameLines(largestAnswerBytes);
  const waiting = new Map<string, Waiting>();
  let sameVersion = false;
  let count = 0;
  // What the gateway says before it cuts a connection off.
  let farewell: unknown;

  function take(line: string): void {
    const frame = parse(line);
    // A peer that speaks like this is not a gateway.
    if (!frame) return void socket.destroy();
    if (frame.type === "event") waiting.get(frame.id ?? "")?.onEvent?.(frame.event, frame.payload);
    if (frame.type === "res") settle(frame);
  }

  function settle(frame: ResponseFrame): void {
    const asked = waiting.get(frame.id);
    waiting.delete(frame.id);
    if (frame.ok) asked?.resolve(frame.payload);
    else if (asked) asked.reject(errorFromFrame(frame.error, sameVersion));
    else farewell = errorFromFrame(frame.error, sameVersion);
  }

  socket.on("data", (chunk) => {
    const found = lines.push(chunk);
    if (found === "too-long") socket.destroy();
    else for (const line of found) take(line);
  });
  socket.on("error", () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      abandon();
      resolve();
    });
  });

  function abandon(): void {
    const options = { hint: "gateway.stopped.hint", cause: farewell } as const;
    for (const { reject } of waiting.values())
      reject(failure("gateway/stopped", "gateway.stopped", {}, options));
    waiting.clear();
  }

  const request: GatewayClient["request"] = (method, params, { signal, onEvent } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = String(++count);
      const stopWaiting = () => {
        waiting.delete(id);
        reject(signal?.reason);
      };
      const done = () => signal?.removeEventListener("abort", stopWaiting);
      signal?.addEventListener("abort", stopWaiting, { once: true });
      waiting.set(id, {
        onEvent,
        resolve(payload) {
          done();
          resolve(payload as MethodResults[typeof method]);
        },
        reject(error) {
          done();
          reject(error);
        },
      });
      if (socket.destroyed) abandon();
      else socket.write(`${JSON.stringify({ type: "req", id, method, params })}\n`);
    });

  return {
    request,
    closed,
    farewell: () => farewell,
    meet: (about: WelcomeView) => void (sameVersion = about.version === ownVersion),
  };
}

function parse(line: string): Frame | undefined {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    return undefined;
  }
}

const isGone = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "gateway/stopped";
