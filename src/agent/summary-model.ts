/** The model that makes summaries. */
import { asPincerError, type AssistantMessage } from "@pincer/sdk";
import type { ModelAsk } from "./ask-model.ts";
import type { Summarise } from "./compaction/compaction.ts";
import { isLeftForLater } from "./turn-run.ts";

interface SummaryParts {
  /** Without tools. */
  ask(ask: ModelAsk, signal: AbortSignal): Promise<AssistantMessage>;
  /** Of the model that is meant, in tokens. */
  contextWindow(): number;
}

/** Throws only what leaves the whole turn for later: whatever is wrong with the model, the turn goes on without a summary. */
export function createSummariser({ ask, contextWindow }: SummaryParts): Summarise {
  return async ({ system, text, signal }) => {
    const content = [{ type: "text" as const, text }];
    let answer: AssistantMessage;
    try {
      answer = await ask({ systemPrompt: system, messages: [{ role: "user", content }] }, signal);
    } catch (error) {
      if (isLeftForLater(error)) throw error;
      return { type: "failed", reason: asPincerError(error).message };
    }
    const said = answer.content
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n")
      .trim();
    if (answer.stopReason !== "error" && answer.stopReason !== "aborted" && said !== "")
      return { type: "said", text: said };
    const reason = answer.errorMessage ?? answer.stopReason;
    // Another model with less room took its place; the one that is meant will be back.
    const isForNow = answer.stopReason === "aborted" || (answer.contextWindow ?? Infinity) < contextWindow();
    if (isForNow) return { type: "failed", reason };
    const code = codeOf(answer);
    if (code === "context_overflow") return { type: "too-large", reason };
    return { type: hopeless.has(code) ? "unable" : "failed", reason };
  };
}

/** Asking the same again would not help; of the others some other time will do. */
const hopeless: ReadonlySet<string> = new Set(["invalid_request", "refused", "empty"]);

const codeOf = ({ errorCode, stopReason }: AssistantMessage): string =>
  errorCode ?? (stopReason === "error" ? "unknown" : "empty");
