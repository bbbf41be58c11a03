/** Summarises the older part of a session into one compaction entry. Writes nothing itself. */
import type { CompactionEntryBody, Message, MessageEntry } from "@pincer/sdk";
import type {
  BeforeCompact,
  CompactionInput,
  CompactionOutcome,
  CompactionPreparation,
  CompactResult,
  Summarise,
} from "./compaction.ts";
import { originsOf } from "../../policy/provenance/read-spans.ts";
import { cutPoint } from "./cut-point.ts";
import { draftSummary, type Draft, type SummedUp } from "./draft-summary.ts";
import { fileLists, fileOperations } from "./file-lists.ts";
import { sumOf } from "./split-by-share.ts";
import { countText } from "./summarise-in-stages.ts";
import { formatSummary } from "./summary-format.ts";
import { toolFailures } from "./tool-failures.ts";

export interface CompactionParts {
  summarise: Summarise;
  tokensOf(message: Message): number;
  hook?: BeforeCompact | undefined;
}

/** Throws only what `summarise` throws. */
export async function compact(input: CompactionInput, parts: CompactionParts): Promise<CompactionOutcome> {
  const plan = planOf(input, parts);
  if (!plan) return { type: "nothing" };

  const wish = await askHook(input, plan.preparation, parts.hook);
  if (wish.type !== "go") return wish;
  const text: Draft = wish.summary
    ? { type: "draft", text: wish.summary }
    : await draftSummary({ ...input, customInstructions: wish.customInstructions }, plan, parts);
  if (text.type === "failed") return text;
  if (input.signal.aborted) return { type: "failed", reason: "stopped" };
  return { type: "compacted", body: bodyOf(input, plan, text.text, parts) };
}

export function toResult(outcome: CompactionOutcome): CompactResult {
  if (outcome.type === "failed") return { ok: false, compacted: false, reason: outcome.reason };
  if (outcome.type !== "compacted") return { ok: true, compacted: false, reason: outcome.type };
  const {
    summary,
    keepFrom,
    tokensBefore = 0,
    tokensAfter = 0,
    readFiles = [],
    modifiedFiles = [],
  } = outcome.body;
  const details = { readFiles, modifiedFiles };
  return {
    ok: true,
    compacted: true,
    result: { summary, firstKeptEntryId: String(keepFrom), tokensBefore, tokensAfter, details },
  };
}

interface Plan extends SummedUp {
  kept: readonly MessageEntry[];
  first: MessageEntry;
  last: MessageEntry;
  keepFrom: number;
  preparation: CompactionPreparation;
}

function planOf(input: CompactionInput, { tokensOf }: CompactionParts): Plan | undefined {
  const { said, keep, previous, tokensBefore, trigger, contextWindow } = input;
  const cut = cutPoint(said, keep, tokensOf);
  if (!cut) return undefined;
  const summedUp = said.slice(0, cut.firstKept);
  const [first, last, firstKept] = [summedUp.at(0), summedUp.at(-1), said[cut.firstKept]];
  if (!first || !last || !firstKept) return undefined;
  const tokens = sumOf(summedUp, ({ message }) => tokensOf(message));
  const least = contextWindow * leastShare;
  if (summedUp.length < fewestSummedUp && tokens < least) return undefined;
  // It would free no space, and be due again at once.
  if (trigger === "tokens" && tokens - shownAgain(said, summedUp, tokensOf) < least) return undefined;

  const [history, prefix] = [said.slice(0, cut.turnStart), summedUp.slice(cut.turnStart)];
  const preparation: CompactionPreparation = {
    messagesToSummarize: messagesOf(history),
    turnPrefixMessages: messagesOf(prefix),
    fileOps: fileOperations(messagesOf(summedUp), previous),
    tokensBefore,
    firstKeptEntryId: String(firstKept.seq),
  };
  const kept = said.slice(cut.firstKept);
  return { history, prefix, kept, first, last, keepFrom: firstKept.seq, tokens, preparation };
}

/** The current question stays visible, even if a summary replaces the beginning of its turn. */
function shownAgain(
  said: readonly MessageEntry[],
  summedUp: readonly MessageEntry[],
  tokensOf: CompactionParts["tokensOf"],
): number {
  const question = said.findLast(({ message }) => message.role === "user");
  return question && summedUp.includes(question) ? tokensOf(question.message) : 0;
}

const fewestSummedUp = 2;
const leastShare = 0.02;

type Wish =
  | { type: "go"; summary: string | undefined; customInstructions: string | undefined }
  | (CompactionOutcome & { type: "cancelled" | "failed" });

async function askHook(
  { customInstructions, signal }: CompactionInput,
  preparation: CompactionPreparation,
  hook: BeforeCompact | undefined,
): Promise<Wish> {
  try {
    const wish = await hook?.({ preparation, customInstructions, signal });
    if (wish?.cancel) return { type: "cancelled" };
    const instructions = [customInstructions, wish?.customInstructions].filter(Boolean).join("\n");
    return { type: "go", summary: wish?.summary?.trim(), customInstructions: instructions || undefined };
  } catch (error) {
    // It may have been about to forbid it.
    return {
      type: "failed",
      reason: `session_before_compact: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function bodyOf(
  input: CompactionInput,
  plan: Plan,
  text: string,
  { tokensOf }: CompactionParts,
): CompactionEntryBody {
  const { previous, contextWindow, trigger } = input;
  const files = fileLists(plan.preparation.fileOps);
  const summary = formatSummary({
    text,
    failures: toolFailures(messagesOf([...plan.history, ...plan.prefix]), mostFailureChars(contextWindow)),
    files,
    maxFileChars: mostFileChars(contextWindow),
    range: { from: plan.first.seq, to: plan.last.seq, takesUpPrevious: previous !== undefined },
  });
  const textTokens = countText(tokensOf);
  const keptTokens = sumOf(plan.kept, ({ message }) => tokensOf(message));
  const previousTokens = previous ? textTokens(previous.summary) : 0;
  const besides = Math.max(0, input.tokensBefore - plan.tokens - keptTokens - previousTokens);
  const { fixedTokens = besides } = input;
  return {
    type: "compaction",
    summary,
    keepFrom: plan.keepFrom,
    from: plan.first.seq,
    messages: plan.history.length + plan.prefix.length,
    trigger,
    tokensBefore: Math.round(input.tokensBefore),
    tokensAfter: Math.round(fixedTokens + keptTokens + textTokens(summary)),
    readFiles: files.readFiles,
    modifiedFiles: files.modifiedFiles,
    origins: originsOf([...plan.history, ...plan.prefix], previous && (previous.origins ?? ["summary"])),
  };
}

const messagesOf = (entries: readonly MessageEntry[]): Message[] => entries.map(({ message }) => message);

/** In a small window the lists must leave space for the conversation. */
const mostFailureChars = (contextWindow: number): number =>
  Math.min(240, Math.max(60, Math.floor(contextWindow * 0.015)));
const mostFileChars = (contextWindow: number): number => Math.max(400, Math.floor(contextWindow * 0.08));
