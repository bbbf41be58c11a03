/** A connector's line to the pretended network: asks and answers over one connection. */
import { createConnection, type Socket } from "node:net";
import { SendError } from "@pincer/sdk";
import type { AccountKind } from "./account-kinds.ts";
import {
  readFrames,
  writeFrame,
  type Delivery,
  type FromConnector,
  type ToConnector,
} from "./network-frames.ts";

type Ask = FromConnector & { request: number };
type WithoutNumber<Frame> = Frame extends unknown ? Omit<Frame, "request"> : never;
type Answer = Extract<ToConnector, { type: "taken" | "found" }>;

export interface NetworkLink {
  /** Says something that wants no answer; goes nowhere when the connection has ended. */
  say(frame: FromConnector): void;
  /** Throws SendError. `onAnswer` is called when the answer is there and nobody has been told. */
  ask(frame: WithoutNumber<Ask>, signal: AbortSignal, onAnswer?: () => void): Promise<Answer>;
  /** Also for what came before anybody listened. */
  onDelivery(listener: (delivery: Delivery) => void): void;
  onClose(listener: () => void): void;
  /** Safe to call twice. */
  close(): void;
}

/** Resolves when the network has answered. Throws SendError `unavailable`. */
export async function openLink(account: AccountKind, socketPath: string): Promise<NetworkLink> {
  const waiting = new Map<number, (answer: ToConnector | SendError) => void>();
  const early: Delivery[] = [];
  const closeListeners: Array<() => void> = [];
  let onDelivery: ((delivery: Delivery) => void) | undefined;
  let onWelcome: (() => void) | undefined;
  let requests = 0;
  const socket = await dial(socketPath);
  const isOpen = () => !socket.destroyed;

  readFrames<ToConnector>(socket, (frame) => {
    if (frame.type === "welcome") return onWelcome?.();
    if (frame.type === "deliver") return onDelivery ? onDelivery(frame) : void early.push(frame);
    waiting.get(frame.request)?.(frame);
  });
  socket.on("close", () => {
    for (const answer of waiting.values()) answer(new SendError("closed", "the connection ended"));
    for (const listener of closeListeners) listener();
  });
  await new Promise<void>((resolve, reject) => {
    onWelcome = resolve;
    closeListeners.push(() => reject(new SendError("unavailable", "the network ended the connection")));
    writeFrame(socket, { type: "hello", account });
  });

  return {
    say: (frame) => writeFrame(socket, frame),
    ask(frame, signal, onAnswer) {
      if (!isOpen()) throw new SendError("unavailable", "there is no connection");
      const request = ++requests;
      return new Promise((resolve, reject) => {
        const settle = (answer: ToConnector | SendError) => {
          waiting.delete(request);
          signal.removeEventListener("abort", onAbort);
          if (answer instanceof SendError) return reject(answer);
          if (answer.type === "refused") {
            const { code, retryAfterMs } = answer;
            return reject(new SendError(code, `the network answered: ${code}`, { retryAfterMs }));
          }
          onAnswer?.();
          resolve(answer as Answer);
        };
        const onAbort = () => settle(new SendError("closed", "given up while waiting"));
        waiting.set(request, settle);
        signal.addEventListener("abort", onAbort);
        writeFrame(socket, { ...frame, request } as Ask);
      });
    },
    onDelivery(listener) {
      onDelivery = listener;
      for (const delivery of early.splice(0)) listener(delivery);
    },
    onClose: (listener) => void closeListeners.push(listener),
    close: () => void socket.end().destroySoon(),
  };
}

function dial(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    socket.once("connect", () => resolve(socket));
    // After the connection has begun, `close` tells what there is to tell.
    socket.on("error", (error) =>
      reject(new SendError("unavailable", `the network is away: ${error.message}`)),
    );
  });
}
