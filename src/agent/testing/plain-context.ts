/** The context of a turn that is far from every limit. */
import { clean } from "@pincer/sdk";
import type { ContextSetup } from "../context-setup.ts";

export function plainContext(change: Partial<ContextSetup> = {}): ContextSetup {
  return {
    systemPrompt: "",
    promptLabel: clean,
    hasSessionMemory: false,
    view: {
      maxMessages: 50,
      resultChars: 10_000,
      pruning: { mode: "off", ttlMs: 300_000, keepLastAssistants: 3, isUntrusted: false },
      timezone: "UTC",
      limits: { contextWindow: 1_000_000, maxTokens: 8192 },
      reserveTokens: 20_000,
    },
    compaction: {
      enabled: true,
      thresholds: { flushAt: 976_000, compactAt: 980_000, keepTokens: 20_000 },
      by: "model",
      serially: (work) => work(),
    },
    flush: { enabled: false, lastAt: null, today: () => "2026-01-01", isWritable: async () => true },
    ...change,
  };
}
