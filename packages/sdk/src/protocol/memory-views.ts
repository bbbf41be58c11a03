/** What is remembered and can be found, as a gateway tells it. */
import type { MemoryAnswer, MemoryStoreStatus } from "../memory-store.ts";

/** What is known to be written and not yet in the index. */
export interface MemoryBehind {
  /** Whether memory files may have changed since they were last looked through. */
  files: boolean;
  /** Sessions in which something was said since. */
  sessions: number;
}

export interface MemorySearchView extends MemoryAnswer {
  behind: MemoryBehind;
}

export interface MemoryStatusView extends MemoryStoreStatus {
  state: "idle" | "indexing" | "off";
  behind: MemoryBehind;
  /** Whose vectors are used, `none` included, and why it is that one. */
  embedderChoice: { provider: string; why: string };
  /** Memory files in the index. */
  files: number;
  /** RFC 3339; when the memory files were last looked through, null before the first time. */
  lastSync: string | null;
  /** Of what is going on at the moment. */
  progress?: { done: number; total: number } | undefined;
  /** Whether changes of files are noticed by themselves. */
  watching: boolean;
}

/** What bringing the index up to date came to. */
export interface MemoryIndexView {
  files: number;
  /** Of the files, those that were read anew or taken out. */
  changed: number;
  messages: number;
  embedded: number;
  /** Lines that are still without the vector that they are to have. */
  left: number;
  skipped: Array<{ path: string; reason: string }>;
  /** Why vectors could not be made. */
  problem?: string | undefined;
  seconds: number;
}

/** Lines of a memory file or of a conversation, as they are there. */
export interface MemoryWindow {
  path: string;
  /** Counted from 1; of an empty place both are 0. */
  startLine: number;
  endLine: number;
  totalLines: number;
  lines: string[];
  /** Whose words they are, where they are not to be trusted as the owner's. */
  label?: string | undefined;
}

/** A line of a memory file that was learnt from others, and that the owner has not confirmed. */
export interface UnconfirmedLineView {
  /** Stays while the line does. */
  ref: string;
  path: string;
  /** Counted from 1. */
  line: number;
  text: string;
  /** `unconfirmed, from web example.org` */
  label: string;
}
