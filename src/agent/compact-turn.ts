/** A turn that answers nothing: it summarises the session on request. */
import { noUsage, type AssistantMessage, type Model } from "@pincer/sdk";
import type { TurnEndingRecord } from "../storage/turns/turns.ts";
import type { CompactionOutcome } from "./compaction/compaction.ts";
import type { TurnConclusion } from "./run-turn.ts";
import type { CompactWish, TurnContext } from "./turn-context.ts";
import { stopOf, type TurnStop } from "./turn-run.ts";

export interface CompactTexts {
  compacted(sizes: { before: number; after: number; messages: number }): string;
  nothingToCompact(): string;
  compactionFailed(reason: string): string;
  aborted(by: TurnStop["by"]): string;
  broken(reason: string): string;
  outOfTime(): string;
}

/** Throws what the journal throws. */
export async function runCompactTurn(
  { context, model, texts }: { context: TurnContext; model: Model; texts: CompactTexts },
  wish: CompactWish,
): Promise<TurnConclusion> {
  const { signal } = wish;
  const outcome = await context.compactNow(wish);
  const stop = stopOf(signal);
  if (stop?.by === "shutdown") return { type: "parked", for: "shutdown" };
  const { ending, text } = stop ? toldStop(stop.by, texts) : told(outcome, texts);
  const last: AssistantMessage = {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: model.provider,
    model: model.id,
    usage: noUsage(),
    stopReason: ending.type === "answered" ? "stop" : "error",
  };
  return {
    type: "ended",
    ending,
    last,
    messages: [last],
    closing: [],
  };
}

function toldStop(
  by: Exclude<TurnStop["by"], "shutdown">,
  texts: CompactTexts,
): { ending: TurnEndingRecord; text: string } {
  if (by !== "overdue") return { ending: { type: "aborted", by }, text: texts.aborted(by) };
  const reason = texts.outOfTime();
  return { ending: { type: "breaker", reason }, text: texts.broken(reason) };
}

function told(outcome: CompactionOutcome, texts: CompactTexts): { ending: TurnEndingRecord; text: string } {
  switch (outcome.type) {
    case "compacted": {
      const { tokensBefore = 0, tokensAfter = 0, messages = 0 } = outcome.body;
      const sizes = { before: tokensBefore, after: tokensAfter, messages };
      return { ending: { type: "answered" }, text: texts.compacted(sizes) };
    }
    case "nothing":
    case "cancelled":
      return { ending: { type: "answered" }, text: texts.nothingToCompact() };
    case "failed":
      return {
        ending: { type: "model-failed", reason: outcome.reason },
        text: texts.compactionFailed(outcome.reason),
      };
  }
}
