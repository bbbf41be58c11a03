/**
 * The contract of a memory store: it holds lines of memory files and of conversations, and finds them by a question.
 * It is derived from them and can be rebuilt at any time. One contract suite applies to every store.
 */

/** Where lines come from. `memory` is what lasts (MEMORY.md), `note` a day's note. */
export const memorySourceKinds = ["memory", "note", "conversation"] as const;
export type MemorySourceKind = (typeof memorySourceKinds)[number];

export interface MemorySource {
  /** One of its kind within the store, such as `main/memory/2026-11-15.md` or `session:01J…`. */
  id: string;
  kind: MemorySourceKind;
  agentId: string;
  /** What people are shown as the place, and what `memory_get` takes. */
  path: string;
  /** Whose conversation it is; left out for files. */
  sessionKey?: string | undefined;
}

/** One line that can be found: a line of a file, or a message (a part of it, where it is long). */
export interface MemoryLine {
  /** Counted from 1: the line of the file, the number of the entry. Parts of one message share it. */
  line: number;
  /** The words alone: without who said them, and without the mark of a label. */
  text: string;
  /** Who said it, as people call them. */
  who?: string | undefined;
  /** When: RFC 3339, a day or a moment. */
  time?: string | undefined;
  /** Whose words they are where they are not to be trusted as the owner's: `telegram:42`, `group`, `web`. Kept with every result. */
  label?: string | undefined;
}

/** What the caller may find. */
export interface MemoryScope {
  agentId: string;
  kinds: readonly MemorySourceKind[];
  /** Of conversations only those of this key. */
  sessionKey?: string | undefined;
}

export interface MemoryQuery {
  text: string;
  /** Maximum number of lines. */
  limit: number;
  scope: MemoryScope;
  /** When it is asked, in milliseconds: "last Tuesday" counts from there. */
  now: number;
  /** IANA name. */
  timezone: string;
  /** How words and meaning are weighed; unless told, as suits the embedder. */
  weights?: { vector: number; text: number } | undefined;
  /** Candidates looked at per result wanted. */
  candidateMultiplier?: number | undefined;
}

export interface MemoryHit extends MemoryLine {
  sourceId: string;
  kind: MemorySourceKind;
  path: string;
  /** From 0 to 1, the best first. */
  score: number;
}

export interface MemoryAnswer {
  /** Best first. None at all rather than noise. */
  hits: MemoryHit[];
  /** Whether meaning was looked at besides words; `degraded` says why not, where it should have been. */
  mode: "words" | "words-and-meaning";
  degraded?: string | undefined;
  freshness: MemoryFreshness;
}

/** How far the index is behind what it knows to be written. */
export interface MemoryFreshness {
  /** Of lines that are there to be found, those without the vector that they are to have. */
  linesWithoutVector: number;
  /** RFC 3339; the last write to the index, null before the first. */
  writtenAt: string | null;
}

export interface MemoryStoreStatus extends MemoryFreshness {
  sources: number;
  lines: number;
  byKind: Record<MemorySourceKind, number>;
  /** Vectors kept, also of lines that are no longer there. */
  cachedVectors: number;
  bytes: number;
  /** Of the embedder in use, such as `openai:text-embedding-3-small`; null without one. */
  embedder: string | null;
  /** Why vectors are not being made at the moment. */
  problem?: string | undefined;
}

/** What a source held when it was last put. */
export interface MemorySourceState {
  id: string;
  /** As it was given with the lines. */
  stamp: string;
  lines: number;
  /** The highest `line`, 0 without any. */
  lastLine: number;
}

export interface MemoryChange {
  added: number;
  removed: number;
  /** Lines whose number or facts changed while their words stayed: neither their words nor their vectors are made anew. */
  moved: number;
}

export interface MemoryStore {
  /**
   * Makes the source hold just these lines, in this order. What did not change is not touched. All or nothing. `stamp` is stored, so that
   * callers can ask whether the source has changed since.
   */
  put(source: MemorySource, lines: readonly MemoryLine[], stamp: string): Promise<MemoryChange>;
  /** Adds lines behind those that the source has. Lines whose number is not higher than its highest are left out: safe to repeat. */
  append(source: MemorySource, lines: readonly MemoryLine[], stamp: string): Promise<MemoryChange>;
  /** False when there was none. Its words are gone from the file when it resolves. */
  remove(sourceId: string): Promise<boolean>;
  /** Of the agent, or of all. */
  sources(agentId?: string): Promise<MemorySourceState[]>;
  /** Writes nothing. Throws only where the store itself is broken; an embedder that fails gives an answer by words. */
  search(query: MemoryQuery, signal?: AbortSignal): Promise<MemoryAnswer>;
  status(): Promise<MemoryStoreStatus>;
  /** Makes the vectors that are missing; resolves when there are none left or the embedder fails. Nothing to do without an embedder. */
  embedMissing(options?: {
    signal?: AbortSignal;
    onProgress?: (progress: { done: number; total: number }) => void;
  }): Promise<{ embedded: number; left: number; problem?: string }>;
  /** Forgets all, vectors included unless `keepVectors`. */
  clear(options?: { keepVectors?: boolean }): Promise<void>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** A kind of plugin: `core` comes with the product. */
export interface MemoryStorePlugin<Settings> {
  id: string;
  open(settings: Settings): Promise<MemoryStore>;
}
