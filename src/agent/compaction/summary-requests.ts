/**
 * The requests that make a summary: one after another, limited in number, and smaller after one was refused as too
 * large.
 */
import type { Summarise } from "./compaction.ts";
import { fitTokens } from "./shorten.ts";
import { summaryPrompt, type SummaryKind } from "./summary-prompts.ts";
import { asData, fitLines, leftOut, tagged, type TranscriptLine } from "./transcript-text.ts";

export type SummaryAnswer =
  | { type: "said"; text: string }
  | { type: "unable" }
  /** `isSmall`: it was so small that something else than its size must be the matter. */
  | { type: "too-large"; isSmall: boolean }
  | { type: "failed"; reason: string };

export interface SummaryRequests {
  /** How many may still be made. */
  left(): number;
  /** Tokens of the conversation per request. */
  chunkTokens(): number;
  /** Summarises a part, after the previous summary. */
  sumUp(part: readonly TranscriptLine[], before: string): Promise<SummaryAnswer>;
  /** Merges partial summaries; if that is refused, smaller ones as long as requests are left. */
  merge(texts: readonly string[]): Promise<SummaryAnswer>;
}

export interface SummaryRequestsInput {
  kind: Exclude<SummaryKind, "merge">;
  customInstructions: string | undefined;
  contextWindow: number;
  /** Tokens of a chunk, as long as nothing was refused. */
  maxChunkTokens: number;
  signal: AbortSignal;
}

export function createSummaryRequests(
  { kind, customInstructions, contextWindow, maxChunkTokens, signal }: SummaryRequestsInput,
  { summarise, textTokens }: { summarise: Summarise; textTokens(text: string): number },
): SummaryRequests {
  const { asked, most } = summarySizes(contextWindow);
  let sizes = {
    chunk: maxChunkTokens,
    shown: Math.floor(contextWindow * mostOfWindow),
    before: most * 3,
  };
  let left = mostRequests;

  async function ask(what: SummaryKind, text: string): Promise<SummaryAnswer> {
    if (signal.aborted) return { type: "failed", reason: "stopped" };
    left--;
    const system = summaryPrompt(what, { maxTokens: asked, customInstructions });
    const answer = await summarise({ system, text, signal });
    if (answer.type === "failed") return { type: "failed", reason: answer.reason };
    if (answer.type === "too-large") return makeSmaller(textTokens(text));
    const said = answer.type === "said" ? answer.text.trim() : "";
    return said === "" ? { type: "unable" } : { type: "said", text: said };
  }

  function makeSmaller(refused: number): SummaryAnswer {
    const third = Math.floor(refused / 6);
    sizes = {
      chunk: Math.min(sizes.chunk, third * 2),
      shown: Math.min(sizes.shown, third * 2),
      before: Math.min(sizes.before, third),
    };
    return { type: "too-large", isSmall: refused <= smallRequest };
  }

  function askFor(part: readonly TranscriptLine[], before: string): Promise<SummaryAnswer> {
    const transcript = tagged("transcript", fitLines(part, sizes.shown, textTokens));
    const soFar = tagged("summary-so-far", asData(fitTokens(before, sizes.before, textTokens)));
    return ask(kind, before ? `${soFar}\n\n${transcript}` : transcript);
  }

  return {
    left: () => left,
    chunkTokens: () => sizes.chunk,
    async sumUp(part, before) {
      const isOversized = ({ tokens }: TranscriptLine) => tokens > maxChunkTokens * oversizedShare;
      const answer = await askFor(part, before);
      const mayHelp = left > 1 && part.some(isOversized) && !part.every(isOversized);
      if (answer.type !== "unable" || !mayHelp) return answer;
      const rest = part.map((line) => (isOversized(line) ? leftOut(line) : line));
      return askFor(rest, before);
    },
    async merge(texts) {
      let answer: SummaryAnswer = { type: "unable" };
      do {
        const share = Math.floor(sizes.shown / texts.length);
        const parts = texts.map((text) =>
          tagged("partial-summary", asData(fitTokens(text, share, textTokens))),
        );
        answer = await ask("merge", parts.join("\n\n"));
      } while (answer.type === "too-large" && !answer.isSmall && left > 0);
      return answer;
    },
  };
}

/** How long a summary should be, in tokens, and what it is cut to if it is longer. */
export function summarySizes(contextWindow: number): { asked: number; most: number } {
  const asked = Math.min(4000, Math.max(200, Math.floor(contextWindow * 0.04)));
  return { asked, most: Math.floor(asked * 1.5) };
}

/** In total, including refused ones and the merge: a person is waiting. */
const mostRequests = 12;
/** In tokens. */
const smallRequest = 400;
/** Of the window: what is shown in one request, whatever its parts are. */
const mostOfWindow = 0.5;
/** Of a chunk: a message that is left out when the whole was refused. */
const oversizedShare = 0.1;
