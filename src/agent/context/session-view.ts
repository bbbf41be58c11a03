/** The content of a request besides the prompt: the messages, and what replaces those that are not shown. */
import type { Entry, Message, MessageEntry } from "@pincer/sdk";
import type { HandleSettings } from "../../gate/labels/earlier-turns.ts";
import type { TextKey } from "../../infra/texts.ts";

/** Where what is shown begins: behind a summary, behind a handoff, or with what another session left. */
export type Mark = Entry & { type: "compaction" | "anchor" | "event" };

/** The session before the present turn, from its last mark on, as far as it was read. */
export interface SessionView {
  mark: Mark | undefined;
  /** In rising order. */
  said: readonly MessageEntry[];
  /** Whether there is more between the mark and the first of these. */
  isCut: boolean;
}

/** How a request is made of it. */
export interface ViewSettings {
  /** Messages that are shown at most; the cut moves in jumps. */
  maxMessages: number;
  /** Turns of a direct chat that are shown at most; undefined: no limit. */
  historyTurns?: number | undefined;
  /** Characters of a tool result that are shown at most; the whole is kept, and found by its handle. */
  resultChars: number;
  /** Other limits for some tools, by name: what was read from a file may be longer. */
  resultCharsByTool?: Readonly<Record<string, number>> | undefined;
  pruning: PruningSettings;
  /** How earlier turns that read texts of others are shown. Undefined: whole, as in other people's turns. */
  handles?: ViewHandles | undefined;
  /** IANA name. */
  timezone: string;
  /** In tokens. */
  limits: { contextWindow: number; maxTokens: number };
  /** Tokens that stay free for the answer. */
  reserveTokens: number;
}

export interface ViewHandles extends HandleSettings {
  /** The names of tools that may be shown. */
  tools: ReadonlySet<string>;
}

export interface PruningSettings {
  mode: "off" | "cache-ttl";
  ttlMs: number;
  /** The results after this many of the newest answers stay unchanged. */
  keepLastAssistants: number;
  /** For a session that strangers write in. */
  isUntrusted: boolean;
}

/** normal: as it should be. smaller: after the provider refused the request as too large. */
export type FitLevel = "normal" | "smaller";

export interface BuiltMessages {
  messages: Message[];
  /** What they take, by our own count; see `estimateTokens`. */
  tokens: number;
  /**
   * What prompt, tools and messages would take if nothing had been left out for space, as counted by the provider if
   * possible. This decides whether the session is compacted.
   */
  used: number;
  /** Whether something was left out or shortened for space. */
  isFitted: boolean;
  /** Whether some messages did not fit at all. */
  leavesOut: boolean;
  parts: ViewPart[];
}

/** For people: what is shown, and why so. */
export interface ViewPart {
  name:
    | "summary"
    | "handoff"
    | "earlier-session"
    | "cut"
    | "history"
    | "handles"
    | "pruned"
    | "left-out"
    | "opened"
    | "turn";
  tokens: number;
  why: TextKey;
  /** Entries that it covers. */
  from?: number;
  to?: number;
  count?: number;
}
