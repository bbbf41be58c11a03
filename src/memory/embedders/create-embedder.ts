import type { Embedder, EmbedderSpec } from "./embedder.ts";
import { createHttpEmbedder } from "./http-embedder.ts";
import { createLocalEmbedder } from "./local-embedder.ts";

/** What makes the vectors that the spec asks for; undefined for none. It starts and asks nobody before the first text. */
export function createEmbedder(spec: EmbedderSpec): Embedder | undefined {
  if (spec.type === "none") return undefined;
  return spec.type === "local" ? createLocalEmbedder(spec) : createHttpEmbedder(spec);
}
