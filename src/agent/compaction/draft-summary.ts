/**
 * The text of a summary, without the lists below it: what came before, and the beginning of a turn that is cut in two.
 */
import type { Message, MessageEntry } from "@pincer/sdk";
import type { CompactionInput, Summarise } from "./compaction.ts";
import { inBrief } from "./digest-summary.ts";
import { maxHistoryShare, pruneHistory } from "./prune-history.ts";
import { fitTokens } from "./shorten.ts";
import { countText, summariseInStages, type EntryRange, type Staged } from "./summarise-in-stages.ts";
import { joinTurn, readSummary } from "./summary-format.ts";
import { allShown, labelOfPrevious } from "./shown-turns.ts";
import { summarySizes } from "./summary-requests.ts";
import { readRequest, requestText } from "./turn-request.ts";

/** What is summed up. */
export interface SummedUp {
  history: readonly MessageEntry[];
  /** The beginning of a turn that is cut in two; empty otherwise. */
  prefix: readonly MessageEntry[];
  /** Of both. */
  tokens: number;
}

export type Draft =
  /** `told`: what it says of the turns before the one that is cut; left out where nobody can tell. */
  { type: "draft"; text: string; told?: string } | (Staged & { type: "failed" });

export async function draftSummary(
  input: CompactionInput,
  { history, prefix, tokens }: SummedUp,
  parts: { summarise: Summarise; tokensOf(message: Message): number },
): Promise<Draft> {
  const { contextWindow, customInstructions, signal } = input;
  const summarise = (kind: "history" | "turn", entries: readonly MessageEntry[], previous: string) =>
    summariseInStages(
      { kind, entries, previous: previous || undefined, customInstructions, contextWindow, signal },
      parts,
    );
  const previous = readSummary(input.previous?.summary ?? "");
  // A turn that was cut before is cut again further on: its summary grows, and the history before it stays.
  const turnBefore = history.length === 0 ? previous.turn : undefined;
  const historyBefore =
    turnBefore === undefined ? joinTurn(previous.history, previous.turn) : previous.history;

  const paragraphs: string[] = [];
  if (history.length > 0) {
    const { kept, dropped } = affordable(history, input.tokensBefore - tokens, contextWindow, parts);
    const summary = await summarise("history", kept, joined([historyBefore, inBrief(messagesOf(dropped))]));
    if (summary.type === "failed") return summary;
    paragraphs.push(summary.text, notReadWhole([...rangeOf(dropped), ...summary.unread]));
  } else {
    paragraphs.push(fitTokens(historyBefore, summarySizes(contextWindow).most, countText(parts.tokensOf)));
  }
  const first = history[0] ?? prefix[0];
  if (input.isCut && first)
    paragraphs.push(`(What was said right before #${first.seq} is not in this summary.)`);
  const told = joined(paragraphs);
  if (prefix.length === 0) return { type: "draft", text: told, told };

  const { request, rest } = readRequest(turnBefore ?? "");
  const summary = await summarise("turn", prefix, rest);
  if (summary.type === "failed") return summary;
  const words = [requestText(request, prefix, contextWindow), summary.text, notReadWhole(summary.unread)];
  const turn = joined(words);
  return { type: "draft", text: joinTurn(told, turn), told };
}

/**
 * What later turns are shown of a summary that texts of others are in: what it says of the turns before, if nobody else
 * wrote in those, and the owner's own words. Pure.
 */
export function wordsForLater(
  {
    previous,
    contextWindow,
    shown = allShown,
  }: Pick<CompactionInput, "previous" | "contextWindow" | "shown">,
  { history, prefix }: Record<"history" | "prefix", readonly MessageEntry[]>,
  told: string | undefined,
): string {
  const isBeforeOwn = !labelOfPrevious(previous).untrusted;
  const isOwn = told !== undefined && isBeforeOwn && !shown.labelOf(history).untrusted;
  const before = isBeforeOwn ? previous?.summary : previous?.later;
  const rest = shown.later(isOwn ? prefix : [...history, ...prefix]);
  return joined([(isOwn && history.length > 0 ? told : before) ?? "", requestText("", rest, contextWindow)]);
}

const joined = (paragraphs: readonly string[]): string => paragraphs.filter(Boolean).join("\n\n");

/** Where what is new takes more than half of the window, half a window of what is old is read. */
function affordable(
  history: readonly MessageEntry[],
  newTokens: number,
  contextWindow: number,
  { tokensOf }: { tokensOf(message: Message): number },
): { kept: readonly MessageEntry[]; dropped: readonly MessageEntry[] } {
  const mostTokens = contextWindow * maxHistoryShare;
  if (newTokens <= mostTokens) return { kept: history, dropped: [] };
  return pruneHistory(history, { mostTokens, tokensOf: ({ message }) => tokensOf(message) });
}

const messagesOf = (entries: readonly MessageEntry[]): Message[] => entries.map(({ message }) => message);

function rangeOf(entries: readonly MessageEntry[]): EntryRange[] {
  const [first, last] = [entries.at(0), entries.at(-1)];
  return first && last ? [{ from: first.seq, to: last.seq }] : [];
}

function notReadWhole(ranges: readonly EntryRange[]): string {
  if (ranges.length === 0) return "";
  const entries = ranges.map(({ from, to }) => `#${from}–#${to}`).join(", ");
  return `(Of entries ${entries} only the beginnings were read: too much was said to sum up all of it.)`;
}
