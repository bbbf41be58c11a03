/** How a long session is summarised: inputs and outputs. */
import type { CompactionEntryBody, Label, Message, MessageEntry, Origin } from "@pincer/sdk";

export interface CompactionInput {
  /** Everything since the last mark that has not been summed up yet, in rising order, the present turn included. */
  said: readonly MessageEntry[];
  /** How the summary sees these, and how later turns do. Left out: both as they are. */
  shown?: ShownTurns | undefined;
  /** Whether more was said before the first of these, since the last mark, than could be read. */
  isCut?: boolean | undefined;
  /** The previous summary; the new one continues it, with the files that it named. */
  previous:
    | {
        summary: string;
        readFiles?: readonly string[] | undefined;
        modifiedFiles?: readonly string[] | undefined;
        origins?: readonly Origin[] | undefined;
        /** Left out: unknown. */
        label?: Label | undefined;
        /** What later turns are shown of it, where its label is untrusted. */
        later?: string | undefined;
      }
    | undefined;
  contextWindow: number;
  /** Kept verbatim: this many tokens or messages, from the newest back. */
  keep: { tokens: number } | { messages: number };
  trigger: NonNullable<CompactionEntryBody["trigger"]>;
  customInstructions?: string | undefined;
  /** Tokens of the whole request before, prompt and tools included. */
  tokensBefore: number;
  /** Of these the prompt and the tools; left out: what is not accounted for otherwise. */
  fixedTokens?: number | undefined;
  signal: AbortSignal;
}

export interface ShownTurns {
  /** As they are summed up; any part of them. */
  now(entries: readonly MessageEntry[]): readonly MessageEntry[];
  /** As later turns will see them. */
  later(entries: readonly MessageEntry[]): readonly MessageEntry[];
  /** Of what is summed up, for the owner's turns. */
  labelOf(entries: readonly MessageEntry[]): Label;
}

/** What is known before anything is summed up; a hook may look at it, add instructions, bring its own summary, or forbid it. */
export interface CompactionPreparation {
  messagesToSummarize: Message[];
  /** The beginning of a turn that is cut in two. */
  turnPrefixMessages: Message[];
  fileOps: FileOperations;
  tokensBefore: number;
  firstKeptEntryId: string;
}

export interface FileOperations {
  read: ReadonlySet<string>;
  written: ReadonlySet<string>;
  edited: ReadonlySet<string>;
}

/** `session_before_compact`. */
export type BeforeCompact = (event: {
  preparation: CompactionPreparation;
  customInstructions: string | undefined;
  signal: AbortSignal;
}) => Promise<{ cancel?: boolean; summary?: string; customInstructions?: string } | undefined>;

/**
 * One question to a model, without tools. `failed`: another time it may go; `unable`: asking again would not help; `too-large`: a smaller
 * one may go.
 */
export type Summarise = (request: {
  system: string;
  text: string;
  signal: AbortSignal;
}) => Promise<{ type: "said"; text: string } | { type: "failed" | "unable" | "too-large"; reason: string }>;

export type CompactionOutcome =
  | { type: "compacted"; body: CompactionEntryBody }
  /** There is too little to sum up. */
  | { type: "nothing" }
  /** The hook forbade it. */
  | { type: "cancelled" }
  /** Nothing is written: it is tried again another time. */
  | { type: "failed"; reason: string };

/** The result for the caller. */
export interface CompactResult {
  ok: boolean;
  compacted: boolean;
  reason?: string;
  result?: {
    summary: string;
    firstKeptEntryId: string;
    tokensBefore: number;
    tokensAfter: number;
    details: { readFiles: string[]; modifiedFiles: string[] };
  };
}
