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
import { joinLabels } from "@pincer/sdk";
import { originsOf } from "../../gate/labels/entry-label.ts";
import { cutPoint } from "./cut-point.ts";
import { draftSummary, wordsForLater, type Draft, type SummedUp } from "./draft-summary.ts";
import { fileLists, fileOperations } from "./file-lists.ts";
import { allShown, labelOfPrevious } from "./shown-turns.ts";
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
  return { type: "compacted", body: bodyOf(input, plan, text, parts) };
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

type SummedUpParts = Pick<SummedUp, "history" | "prefix">;

interface Plan extends SummedUp {
  /** What it is made of, as it was stored. */
  stored: SummedUpParts;
  first: MessageEntry;
  last: MessageEntry;
  keepFrom: number;
  /** What stays, in tokens. */
  keptTokens: number;
  preparation: CompactionPreparation;
}

function planOf(input: CompactionInput, { tokensOf }: CompactionParts): Plan | undefined {
  const { said, keep, previous, tokensBefore, trigger, contextWindow, shown = allShown } = input;
  const sizes = sizesAsShown(said, shown.now(said), tokensOf);
  const sizeOf = (message: Message) => sizes.get(message) ?? 0;
  const cut = cutPoint(said, keep, sizeOf);
  if (!cut) return undefined;
  const summedUp = said.slice(0, cut.firstKept);
  const [first, last, firstKept] = [summedUp.at(0), summedUp.at(-1), said[cut.firstKept]];
  if (!first || !last || !firstKept) return undefined;
  const tokens = sumOf(summedUp, ({ message }) => sizeOf(message));
  const least = contextWindow * leastShare;
  if (summedUp.length < fewestSummedUp && tokens < least) return undefined;
  // It would free no space, and be due again at once.
  if (trigger === "tokens" && tokens - shownAgain(said, summedUp, tokensOf) < least) return undefined;

  const stored = { history: said.slice(0, cut.turnStart), prefix: summedUp.slice(cut.turnStart) };
  const [history, prefix] = [shown.now(stored.history), shown.now(stored.prefix)];
  const preparation: CompactionPreparation = {
    messagesToSummarize: messagesOf(history),
    turnPrefixMessages: messagesOf(prefix),
    fileOps: fileOperations(messagesOf([...history, ...prefix]), previous),
    tokensBefore,
    firstKeptEntryId: String(firstKept.seq),
  };
  const keptTokens = sumOf(said.slice(cut.firstKept), ({ message }) => sizeOf(message));
  const { seq: keepFrom } = firstKept;
  return { history, prefix, stored, first, last, keepFrom, keptTokens, tokens, preparation };
}

/** What a request takes for each: what is shown as one text counts where it begins. */
function sizesAsShown(
  said: readonly MessageEntry[],
  shown: readonly MessageEntry[],
  tokensOf: CompactionParts["tokensOf"],
): ReadonlyMap<Message, number> {
  const bySeq = new Map(shown.map(({ seq, message }) => [seq, tokensOf(message)]));
  return new Map(said.map(({ seq, message }) => [message, bySeq.get(seq) ?? 0]));
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
  { text, told }: Extract<Draft, { type: "draft" }>,
  { tokensOf }: CompactionParts,
): CompactionEntryBody {
  const { previous, contextWindow, trigger, shown = allShown } = input;
  const { stored } = plan;
  const entries = [...stored.history, ...stored.prefix];
  const label = joinLabels([shown.labelOf(entries), labelOfPrevious(previous)]);
  const files = fileLists(plan.preparation.fileOps);
  const summary = formatSummary({
    text,
    failures: toolFailures(messagesOf([...plan.history, ...plan.prefix]), mostFailureChars(contextWindow)),
    files,
    maxFileChars: mostFileChars(contextWindow),
    range: { from: plan.first.seq, to: plan.last.seq, takesUpPrevious: previous !== undefined },
  });
  const textTokens = countText(tokensOf);
  const { keptTokens } = plan;
  const previousTokens = previous ? textTokens(previous.summary) : 0;
  const besides = Math.max(0, input.tokensBefore - plan.tokens - keptTokens - previousTokens);
  const { fixedTokens = besides } = input;
  return {
    type: "compaction",
    summary,
    keepFrom: plan.keepFrom,
    from: plan.first.seq,
    messages: entries.length,
    trigger,
    tokensBefore: Math.round(input.tokensBefore),
    tokensAfter: Math.round(fixedTokens + keptTokens + textTokens(summary)),
    readFiles: files.readFiles,
    modifiedFiles: files.modifiedFiles,
    origins: originsOf([...plan.history, ...plan.prefix], previous && (previous.origins ?? ["summary"])),
    label,
    ...(label.untrusted && { later: wordsForLater(input, stored, told) }),
  };
}

const messagesOf = (entries: readonly MessageEntry[]): Message[] => entries.map(({ message }) => message);

/** In a small window the lists must leave space for the conversation. */
const mostFailureChars = (contextWindow: number): number =>
  Math.min(240, Math.max(60, Math.floor(contextWindow * 0.015)));
const mostFileChars = (contextWindow: number): number => Math.max(400, Math.floor(contextWindow * 0.08));
