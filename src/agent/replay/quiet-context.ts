import { clean } from "@pincer/sdk";
import type { ContextSetup } from "../context-setup.ts";

/** The context of a run that is played again: nobody reads the request, and nothing is summed up or noted but what is recorded. */
export const quietContext: ContextSetup = {
  systemPrompt: "",
  promptLabel: clean,
  hasSessionMemory: false,
  view: {
    maxMessages: 1,
    resultChars: 1000,
    pruning: { mode: "off", ttlMs: 300_000, keepLastAssistants: 3, isUntrusted: false },
    timezone: "UTC",
    limits: { contextWindow: 1_000_000_000, maxTokens: 8192 },
    reserveTokens: 20_000,
  },
  compaction: {
    enabled: false,
    thresholds: { flushAt: 1_000_000_000, compactAt: 1_000_000_000, keepTokens: 20_000 },
    by: "digest",
    serially: async () => undefined,
  },
  flush: { enabled: false, lastAt: null, today: () => "2000-01-01", isWritable: async () => false },
};
