/** What the routes of the OpenAI-compatible API need from the gateway. */
import type { ErrorCode, ImageBlock, Message, ToolCallBlock, ToolDescription, Usage } from "@pincer/sdk";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import type { Caller } from "../../policy/caller.ts";

/** Which conversation a question belongs to. alone: none; what was said before comes with it. */
export type QuestionPlace =
  | { type: "alone" }
  | { type: "session"; key: string }
  | { type: "user"; name: string }
  /** Where this run was. */
  | { type: "after"; runId: string };

/** What a caller says, as messages with their labels. */
export interface Given {
  earlier: Message[];
  now: Message[];
}

export interface Question {
  /** `pincer`, `pincer/<agent>` or `provider/model`. */
  model: string;
  place: QuestionPlace;
  given: Given;
  instructions?: string;
  /** Tools of the caller: their calls are answered with, and nothing runs here. */
  tools: ToolDescription[];
  thinking?: "off" | "minimal" | "low" | "medium" | "high";
  idempotencyKey?: string;
  /** The trace that the caller is in, by W3C Trace Context. */
  traceparent?: string;
  /** The same for the same request; under one key there is one. */
  digest: string;
}

/** What a run came to. */
export interface RunAnswer {
  runId: string;
  createdAt: string;
  sessionKey: string;
  model: string;
  /** running: not over yet, the rest is what there is so far. */
  end: "running" | "stop" | "length" | "tool_calls";
  text: string;
  /** Of the caller's own tools, for the caller to run. */
  calls: ToolCallBlock[];
  usage: Usage;
  /** Why there is no answer. */
  error?: { code: ErrorCode; message: string; hint?: string };
}

export interface AskedRun {
  runId: string;
  sessionKey: string;
  /** It was asked before, under the same key. */
  isRepeated: boolean;
  /** Tells what happens, and resolves with what it came to; undefined where it is gone. Throws `gateway/stopped`, or the signal's reason. */
  wait(signal: AbortSignal, tell: (event: TurnEvent) => void): Promise<RunAnswer | undefined>;
}

export interface OpenAiApi {
  /** What the caller may name as a model. */
  models(caller: Caller): Promise<Array<{ id: string; owner: string }>>;
  /** Resolves when the question is on the disk; the same key again leads to the same run. Throws PincerError. */
  ask(caller: Caller, question: Question): Promise<AskedRun>;
  /** Undefined where there is none, or none of the caller's. */
  answer(caller: Caller, runId: string): Promise<RunAnswer | undefined>;
  /** Nobody waits for it any more. Does nothing where it is over, or the gateway is about to stop: then it goes on after the next start. */
  abandon(runId: string): Promise<void>;
  /** Undefined for what is no picture. Throws PincerError for one that is too large. */
  keepPicture(bytes: Uint8Array, mimeType: string): Promise<ImageBlock | undefined>;
  /** Throws PincerError: `usage/not-found` where there is no embedder, `model/failed` where it does not answer. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<{ model: string; vectors: Float32Array[] }>;
}
