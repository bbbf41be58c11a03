/** What the context of a turn is made with. */
import type { Entry, EntryBody, Label } from "@pincer/sdk";
import type { BeforeCompact } from "./compaction/compaction.ts";
import type { Thresholds } from "./compaction/compaction-settings.ts";
import type { ModelName } from "./context/found-windows.ts";
import type { SessionView, ViewSettings } from "./context/session-view.ts";

/** The turn's own way to what was said before it. */
export interface ContextJournal {
  /** The session from its last mark on: up to this turn or, with `whole`, this turn included. */
  view(query: {
    limit: number;
    whole?: boolean;
  }): Promise<{ mark: Entry | undefined } & Omit<SessionView, "mark">>;
  /** Keeps it under the turn's lease. On the disk once it has resolved. */
  note(body: EntryBody): Promise<Entry>;
}

/** What holds for the context of one turn. */
export interface ContextSetup {
  systemPrompt: string;
  /** Of the prompt: every answer has it. */
  promptLabel: Label;
  view: ViewSettings;
  /** Whether the prompt has the session's memory file. */
  hasSessionMemory: boolean;
  compaction: {
    /** By itself; asked for, it always happens. */
    enabled: boolean;
    thresholds: Thresholds;
    /** For a session with memory: by the number of messages. */
    messages?: { over: number; keep: number } | undefined;
    customInstructions?: string | undefined;
    /** `digest` where there is no model that could write a summary. */
    by: "model" | "digest";
    hook?: BeforeCompact | undefined;
    /** Told that a summary which was due could not be made. */
    failed?(reason: string): void;
    /** One at a time over all sessions. Undefined where the signal aborts before its turn comes; with `ifFree`, when another is at it. */
    serially<Value>(
      work: () => Promise<Value>,
      how: { signal: AbortSignal; ifFree?: boolean },
    ): Promise<Value | undefined>;
  };
  flush: {
    enabled: boolean;
    /** When notes were last taken in this session. */
    lastAt: string | null;
    prompt?: string | undefined;
    systemPrompt?: string | undefined;
    /** `YYYY-MM-DD` where the person is. */
    today(): string;
    isWritable(): Promise<boolean>;
  };
  /** A model refused what should have fitted, and takes no more than this. */
  foundWindow?(model: ModelName, window: number): void;
}
