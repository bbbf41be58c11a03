/** Memory and its index, as a gateway reports them. */
import type { MemoryAnswer, MemoryStoreStatus } from "../memory-store.ts";

/** What is known to be written but not yet indexed. */
export interface MemoryBehind {
  /** Whether memory files may have changed since they were last checked. */
  files: boolean;
  /** Sessions with new messages since then. */
  sessions: number;
}

export interface MemorySearchView extends MemoryAnswer {
  behind: MemoryBehind;
}

export interface MemoryStatusView extends MemoryStoreStatus {
  state: "idle" | "indexing" | "off";
  behind: MemoryBehind;
  /** Which embedder is used, possibly `none`, and why. */
  embedderChoice: { provider: string; why: string };
  /** Memory files in the index. */
  files: number;
  /** RFC 3339; when the memory files were last checked, null before the first time. */
  lastSync: string | null;
  /** Progress of the current work. */
  progress?: { done: number; total: number } | undefined;
  /** Whether files are watched for changes. */
  watching: boolean;
}

/** The result of updating the index. */
export interface MemoryIndexView {
  files: number;
  /** Files that were read again or removed. */
  changed: number;
  messages: number;
  embedded: number;
  /** Lines that still lack their vector. */
  left: number;
  skipped: Array<{ path: string; reason: string }>;
  /** Why vectors could not be computed. */
  problem?: string | undefined;
  seconds: number;
}

/** Lines of a memory file or of a conversation, unchanged. */
export interface MemoryWindow {
  path: string;
  /** Counted from 1; both are 0 if the place is empty. */
  startLine: number;
  endLine: number;
  totalLines: number;
  lines: string[];
  /** Whose words they are, if they are not to be trusted as the owner's. */
  label?: string | undefined;
}

/** A line of a memory file that was learnt from others and is not confirmed by the owner. */
export interface UnconfirmedLineView {
  /** Stable as long as the line exists. */
  ref: string;
  path: string;
  /** Counted from 1. */
  line: number;
  text: string;
  /** `unconfirmed, from web example.org` */
  label: string;
}
