/** The config of an agent's memory search: the defaults overridden by the agent's own settings. */
import { merge } from "../../config/config-layers.ts";
import type { Config } from "../../config/schema.ts";
import type { EmbedderSpec } from "../embedders/embedder.ts";

type MemorySearch = Config["agents"]["defaults"]["memorySearch"];

export interface SearchSettings {
  enabled: boolean;
  sources: MemorySearch["sources"];
  candidateMultiplier: number;
  /** A strong embedder is trusted over words, a weak one less; without one there are words alone. */
  weightsFor(embedder: EmbedderSpec["type"]): { vector: number; text: number };
}

export function searchSettings({ agents }: Config, agentId: string): SearchSettings {
  const own = agents.list.find(({ id }) => id === agentId)?.memorySearch ?? {};
  const { enabled, sources, query, local } = merge(agents.defaults.memorySearch, own) as MemorySearch;
  const { hybrid } = query;
  return {
    enabled,
    sources,
    candidateMultiplier: hybrid.candidateMultiplier,
    weightsFor(embedder) {
      if (!hybrid.enabled || embedder === "none") return { vector: 0, text: 1 };
      const { vectorWeight, textWeight } = embedder === "local" ? local : hybrid;
      return { vector: vectorWeight, text: textWeight };
    },
  };
}
