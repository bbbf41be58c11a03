/** What goes over the socket between the pretended network and the child process: one JSON object per line. */
import type { Socket } from "node:net";
import type { Peer, SendErrorCode, SentQuery, Target } from "@pincer/sdk";
import type { AccountKind } from "./account-kinds.ts";
import type { FailpointCut } from "./cut.ts";
import type { ClockPlan } from "./fast-clock.ts";
import type { Plant } from "./plant.ts";

/** Asks that expect an answer carry a number of their own. */
export interface SendFrame {
  type: "send";
  request: number;
  target: Target;
  text: string;
  key: string;
  replyTo?: string;
}

export interface EditFrame {
  type: "edit";
  request: number;
  messageId: string;
  text: string;
}

export type FromConnector =
  | { type: "hello"; account: AccountKind }
  | { type: "ack"; id: string }
  /** It could not be stored: it and what follows in its conversation come again. */
  | { type: "nack"; id: string; round: number }
  | SendFrame
  | EditFrame
  | { type: "query"; request: number; key: string };

export interface Delivery {
  type: "deliver";
  /** The network's own id of the message, unique within the account. */
  id: string;
  /** Rises when the conversation is delivered again after a refusal; what belongs to an older round does not count. */
  round: number;
  peer: Peer;
  threadId?: string;
  sender: string;
  text: string;
  timestamp: number;
}

export type ToConnector =
  | { type: "welcome" }
  | Delivery
  | { type: "taken"; request: number; messageId: string }
  | { type: "refused"; request: number; code: SendErrorCode; retryAfterMs?: number }
  | { type: "found"; request: number; result: SentQuery };

/** How the child shall live. */
export interface LifePlan {
  /** Armed from the first moment on. */
  cut?: FailpointCut;
  plant?: Plant;
  /** Where its tools leave their traces. */
  directory: string;
  /** Time runs this many times as fast, counted from `origin`, so that waiting for a retry does not take long. */
  clock: ClockPlan;
  pauseMs: number;
  fullForMs: number;
  /** How often it reports its memory and its delays. */
  reportEveryMs?: number;
}

export type FromChild =
  /** First of all: which of the processes that were started this one is. */
  | { type: "control"; life: number; pid: number }
  | { type: "ready" }
  | { type: "idle"; request: number }
  | { type: "counts"; request: number; counts: Record<string, number>; reached: boolean }
  | { type: "report"; rssBytes: number; heapBytes: number; delayMs: number }
  /** Storage is lost; the process ends itself. */
  | { type: "failed"; code: string }
  | { type: "stopped" };

export type ToChild =
  | { type: "go"; plan: LifePlan }
  | { type: "arm"; cut: FailpointCut }
  /** The clock on the wall is set. */
  | { type: "jump"; byMs: number }
  /** The disk is full, or has room again. */
  | { type: "fill"; isFull: boolean }
  | { type: "idle?"; request: number }
  | { type: "counts?"; request: number }
  | { type: "stop" };

/** Calls back for each whole line; a half one at the end of the connection is no frame. */
export function readFrames<Frame>(socket: Socket, onFrame: (frame: Frame) => void): void {
  let rest = "";
  socket.setEncoding("utf8").on("data", (chunk: string | Buffer) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onFrame(JSON.parse(line) as Frame);
  });
}

export function writeFrame(socket: Socket, frame: FromConnector | ToConnector | FromChild | ToChild): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(frame)}\n`);
}
