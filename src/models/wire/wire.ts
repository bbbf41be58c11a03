/**
 * The wire: one request to one model with one credential. It knows formats and addresses, nothing of retries, budgets or who asks.
 */
import type { AssistantMessage, Message, ModelEvent, ToolDescription } from "@pincer/sdk";
import type { ModelFailure } from "../model-failure.ts";
import type { ModelRecord, ThinkingLevel } from "../model-record.ts";

/** What proves to the provider who asks; every part of it is secret. */
export interface RequestAuth {
  apiKey?: string;
  headers?: Record<string, string>;
  /** Some credentials come with an address of their own. */
  baseUrl?: string;
  /** Settings that belong to the credential (account ids, regions), by the names of their environment variables. */
  settings?: Record<string, string>;
  /** The login of the machine may be used (AWS profile, gcloud): only where the operator said so. Without it nothing is taken from there. */
  environment?: boolean;
}

export interface WireRequest {
  systemPrompt: string;
  /** As `history/` prepared them for this model. */
  messages: readonly Message[];
  tools: readonly ToolDescription[];
  thinking: ThinkingLevel;
  /** The most that the answer may have; the model's own limit where it is left out. */
  maxTokens?: number;
  /** Requests of one key share their beginning: providers find their cache by it. */
  cacheKey?: string;
  signal: AbortSignal;
}

export type WireEvent =
  | Exclude<ModelEvent, { type: "end" } | { type: "start-over" }>
  /** The first byte of the answer is there. */
  | { type: "begun" }
  /** More of the answer has come, but nothing that could be shown yet. At most once a second. */
  | { type: "alive" }
  /**
   * The last one, always. `failure` when the stopReason is `error`; `message` holds what was said until then, and the usage as far as
   * the wire told it, else estimated.
   */
  | { type: "end"; message: AssistantMessage; failure?: ModelFailure };

export interface Wire {
  /** Never throws halfway; ends soon after the signal aborts, with stopReason `aborted`. */
  stream(record: ModelRecord, auth: RequestAuth, request: WireRequest): AsyncIterable<WireEvent>;
  /** The formats that it speaks. */
  apis: readonly string[];
}
