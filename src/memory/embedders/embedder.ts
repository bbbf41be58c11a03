import type { ErrorText } from "@pincer/sdk";
import { createSay, type Say, type TextKey } from "../../infra/texts.ts";

/** Makes vectors of texts. One per way of making them; the index thread asks it, never the gateway's own. */
export interface Embedder {
  /** Changes whenever its vectors would: `openai:text-embedding-3-small`. */
  id: string;
  /** A strong one is trusted over words (0.7), a weak one less (0.3). */
  strength: "strong" | "weak";
  /** How many texts one request takes. */
  batchSize: number;
  /** Whether it can make a vector of this text at all; of any, unless told. */
  accepts?(text: string): boolean;
  /** One vector for each text, of length 1 and all of one size. Throws EmbedderError. */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  /** Stops what it started. Safe to call twice. */
  close(): Promise<void>;
}

/** What an embedder is made of; plain data, so that it can be handed to a thread. */
export type EmbedderSpec =
  | { type: "none" }
  | {
      type: "openai" | "gemini" | "voyage" | "ollama" | "compatible";
      baseUrl: string;
      model: string;
      apiKey?: string | undefined;
      headers?: Record<string, string> | undefined;
    }
  /** The optional package, found in `directory`, run in a process of its own. */
  | { type: "local"; directory: string; idleMs: number };

/** `retryable`: it may work in a while, after `retryAfterMs` where the other side said so. `text` says it again in another language. */
export class EmbedderError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly text: ErrorText | undefined;

  constructor(
    message: string,
    options: {
      retryable: boolean;
      retryAfterMs?: number | undefined;
      cause?: unknown;
      text?: ErrorText | undefined;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "EmbedderError";
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.text = options.text;
  }
}

/** What it says, in the language of `say`. */
export function sayProblem({ text, message }: EmbedderError, say: Say): string {
  return text ? say(text.key as TextKey, text.parameters) : message;
}

const english = createSay("en");

/** One whose words come from the catalogue. */
export function embedderError(
  key: TextKey,
  parameters: Record<string, string | number>,
  options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown },
): EmbedderError {
  return new EmbedderError(english(key, parameters), { ...options, text: { key, parameters } });
}
