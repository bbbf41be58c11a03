/**
 * Summarises more than a model can read at once: in two halves, recursively if needed, and then the partial summaries
 * together. The newest part matters most: if there are not enough requests for all, the oldest is summarised in
 * brief.
 */
import type { Message, MessageEntry } from "@pincer/sdk";
import { chunkRatio } from "./chunk-ratio.ts";
import type { Summarise } from "./compaction.ts";
import { inBrief } from "./digest-summary.ts";
import { pruneHistory } from "./prune-history.ts";
import { fitTokens } from "./shorten.ts";
import { splitByShare, sumOf } from "./split-by-share.ts";
import { unavailable } from "./summary-format.ts";
import type { SummaryKind } from "./summary-prompts.ts";
import { createSummaryRequests, summarySizes } from "./summary-requests.ts";
import { transcriptLines, type TranscriptLine } from "./transcript-text.ts";

export interface StagesInput {
  kind: Exclude<SummaryKind, "merge">;
  entries: readonly MessageEntry[];
  /** The previous summary, to be continued. */
  previous?: string | undefined;
  customInstructions?: string | undefined;
  contextWindow: number;
  signal: AbortSignal;
}

/** failed: another time it may go. Where asking again would not help, the summary says that there is none. */
export type Staged =
  | { type: "summary"; text: string; isFallback: boolean; unread: readonly EntryRange[] }
  | { type: "failed"; reason: string };

/** Entries of which only the beginnings were read: all of it would have taken too many requests. */
export interface EntryRange {
  from: number;
  to: number;
}

export async function summariseInStages(
  { kind, entries, previous = "", customInstructions, contextWindow, signal }: StagesInput,
  { summarise, tokensOf }: { summarise: Summarise; tokensOf(message: Message): number },
): Promise<Staged> {
  const textTokens = countText(tokensOf);
  const { most } = summarySizes(contextWindow);
  const fitted = (text: string, tokens = most) => fitTokens(text, tokens, textTokens);
  const lines = transcriptLines(entries, { maxChars: mostChars(contextWindow), tokensOf: textTokens });
  const maxChunkTokens = contextWindow * chunkRatio(lines.map(tokensOfLine), contextWindow);
  const requests = createSummaryRequests(
    { kind, customInstructions, contextWindow, maxChunkTokens, signal },
    { summarise, textTokens },
  );
  let waiting: TranscriptLine[][] = [];
  /** What the next request takes up. */
  let before = previous;
  const partial: Array<{ kept: string; isFallback: boolean }> = [];
  const unread: EntryRange[] = [];
  /** How many parts were summed up before the last of those. */
  let toldAfter = -1;

  function tellInBrief(part: readonly TranscriptLine[]): void {
    const [first, last] = [part.at(0), part.at(-1)];
    if (!first || !last) return;
    const range = partial.length === toldAfter ? unread.at(-1) : undefined;
    if (range) range.to = last.seq;
    else unread.push({ from: first.seq, to: last.seq });
    toldAfter = partial.length;
    before = joined([before, inBrief(part.map(({ message }) => message))]);
  }

  function read(part: TranscriptLine[]): void {
    const chunks = Math.min(mostSummaries, requests.left() - 1) * chunkShare;
    const mostTokens =
      part.length < minMessagesForSplit ? Infinity : Math.floor(requests.chunkTokens() * chunks);
    const { kept, dropped } = pruneHistory(part, { mostTokens, parts: dropParts, tokensOf: tokensOfLine });
    tellInBrief(dropped);
    waiting = [kept];
  }

  function halvesOf(part: TranscriptLine[]): TranscriptLine[][] {
    const isSmall = part.length < minMessagesForSplit || sumOf(part, tokensOfLine) < requests.chunkTokens();
    return isSmall ? [part] : splitByShare(part, { parts: 2, tokensOf: tokensOfLine });
  }

  async function merged(texts: readonly string[]): Promise<Staged> {
    const answer = await requests.merge(texts);
    if (answer.type === "failed") return answer;
    const share = Math.floor(most / texts.length);
    const text = answer.type === "said" ? answer.text : joined(texts.map((each) => fitted(each, share)));
    return { type: "summary", text: fitted(text), isFallback: false, unread };
  }

  read(lines);
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    // One is for the merge.
    if (requests.left() <= 1) {
      tellInBrief([part, ...waiting].flat());
      break;
    }
    const halves = halvesOf(part);
    if (halves.length > 1) {
      waiting.unshift(...halves);
      continue;
    }
    const answer = await requests.sumUp(part, before);
    if (answer.type === "failed") return answer;
    if (answer.type === "too-large" && !answer.isSmall) {
      // Few messages are not parted any further: less is shown of each.
      if (part.length < minMessagesForSplit) waiting.unshift(part);
      else read([part, ...waiting].flat());
      continue;
    }
    const isFallback = answer.type !== "said";
    const kept = isFallback ? before.replace(unavailable, "").trim() : answer.text;
    partial.push({ kept: fitted(kept), isFallback });
    before = "";
  }
  if (before) partial.push({ kept: fitted(before), isFallback: false });

  if (partial.every(({ isFallback }) => isFallback)) {
    const kept = fitted(joined(partial.map((each) => each.kept)));
    return { type: "summary", text: joined([kept, unavailable]), isFallback: true, unread };
  }
  const texts = partial.map(({ kept, isFallback }) => (isFallback ? joined([kept, unavailable]) : kept));
  return texts.length > 1
    ? merged(texts)
    : { type: "summary", text: joined(texts), isFallback: false, unread };
}

const minMessagesForSplit = 4;
/** As many parts at most, as far as can be told before. */
const mostSummaries = 8;
/** Halves are seldom as large as they could be. */
const chunkShare = 0.75;
/** Where there is too much, the oldest eighth goes, and again. */
const dropParts = 8;

const joined = (texts: readonly string[]): string => texts.filter(Boolean).join("\n\n");

const tokensOfLine = ({ tokens }: TranscriptLine): number => tokens;

/** Characters of one message that are shown. */
const mostChars = (contextWindow: number): number => Math.max(2000, Math.floor(contextWindow * 0.4));

/** Counts a text as if it were a message. */
export const countText =
  (tokensOf: (message: Message) => number) =>
  (text: string): number =>
    tokensOf({ role: "user", content: [{ type: "text", text }] });
