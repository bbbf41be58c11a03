import type { Embedder, EmbedderSpec } from "./embedder.ts";
import { createHttpEmbedder } from "./http-embedder.ts";
import { createLocalEmbedder } from "./local-embedder.ts";

/** The embedder of the spec; undefined for none. It starts nothing before the first text. */
export function createEmbedder(spec: EmbedderSpec): Embedder | undefined {
  if (spec.type === "none") return undefined;
  return spec.type === "local" ? createLocalEmbedder(spec) : createHttpEmbedder(spec);
}
