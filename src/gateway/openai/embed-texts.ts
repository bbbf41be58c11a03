/** Vectors for programs, from the embedder that memory uses. It is found and loaded with the first request. */
import type { OpenAiApi } from "./openai-api.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Embedder } from "../../memory/embedders/embedder.ts";
import type { FindEmbedderParts } from "../../agent/memory/find-embedder.ts";
import type { EmbedderChoice } from "../../memory/following/memory-surroundings.ts";

export interface TextEmbedder {
  embed: OpenAiApi["embed"];
  /** Stops what it started. Safe to call twice. */
  close(): Promise<void>;
}

export interface TextEmbedderParts extends FindEmbedderParts {
  clock: Pick<Clock, "monotonic">;
  /** Other than the usual one, for tests. */
  find?: (parts: FindEmbedderParts) => Promise<EmbedderChoice>;
}

/** Keys and local servers come and go; this is how often they are checked. */
const lookAgainMs = 60_000;

export function createTextEmbedder(parts: TextEmbedderParts): TextEmbedder {
  let found: { choice: EmbedderChoice; at: number } | undefined;
  let made: { stamp: string; embedder: Embedder | undefined } | undefined;

  async function choose(): Promise<EmbedderChoice> {
    const now = parts.clock.monotonic();
    if (found && now - found.at < lookAgainMs) return found.choice;
    const find = parts.find ?? (await import("../../agent/memory/find-embedder.ts")).findEmbedder;
    found = { choice: await find(parts), at: now };
    return found.choice;
  }

  async function open(): Promise<Embedder> {
    const { spec } = await choose();
    const stamp = JSON.stringify(spec);
    if (made?.stamp !== stamp) {
      const { createEmbedder } = await import("../../memory/embedders/create-embedder.ts");
      await made?.embedder?.close();
      made = { stamp, embedder: createEmbedder(spec) };
    }
    if (made.embedder) return made.embedder;
    // Why there is none names paths of this machine, which are no caller's business; the owner's own command tells it.
    throw failure("usage/not-found", "openai.no-embedder", {}, { hint: "openai.no-embedder.hint" });
  }

  return {
    async embed(texts, signal) {
      const embedder = await open();
      const vectors: Float32Array[] = [];
      try {
        for (let from = 0; from < texts.length; from += embedder.batchSize) {
          const batch = texts.slice(from, from + embedder.batchSize);
          vectors.push(...(await embedder.embed(batch, "document", signal)));
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw failure("model/failed", "openai.embedding-failed", { reason }, { cause: error });
      }
      return { model: embedder.id, vectors };
    },
    close: async () => made?.embedder?.close(),
  };
}
