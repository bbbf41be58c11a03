/** A model reads messages and streams events; the last event is `end` and says how it went. */
import type { AssistantMessage, Message, ToolCallBlock } from "./message.ts";

/** What a model is told about a tool: enough to call it, nothing about how it runs. */
export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: object;
}

export interface ModelRequest {
  systemPrompt: string;
  /** Well-formed: every tool call is followed by its result. */
  messages: Message[];
  tools: ToolDescription[];
  signal: AbortSignal;
}

export type ModelEvent =
  | { type: "text-delta"; text: string }
  | { type: "thinking-delta"; text: string }
  | { type: "tool-call"; call: ToolCallBlock }
  /** What was said since the request began counts no more: the connection broke, and the answer begins anew. */
  | { type: "start-over"; reason: string }
  | { type: "end"; message: AssistantMessage };

export interface Model {
  provider: string;
  id: string;
  /** In tokens: how much goes into a request together with its answer, and how long an answer may be. Left out where nobody knows. */
  limits?: { contextWindow: number; maxTokens: number };
  /** Never throws halfway: a failure is an `end` whose message has stopReason `error` or `aborted`. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
