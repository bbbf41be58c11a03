/** Searches, reads and updates memory for every caller. The caller's conversation decides what may be found. */
import type { SessionRecord } from "../../storage/stores.ts";
import type {
  MemoryIndexView,
  MemorySearchView,
  MemoryStatusView,
  MemoryWindow,
  UnconfirmedLineView,
} from "@pincer/sdk";

export interface MemoryService {
  /** Writes nothing. Throws PincerError where the index cannot be read. */
  search(request: MemorySearchRequest): Promise<MemorySearchView>;
  /** Lines of one place, at most those asked for. Throws PincerError: no such place, or none that may be read from here. */
  get(request: MemoryGetRequest): Promise<MemoryWindow>;
  /** Of one agent, or of all. */
  status(agentId?: string): Promise<MemoryStatusView>;
  /** Brings the index in step with what is written. What was done stays when the signal aborts. */
  sync(options: MemorySyncOptions): Promise<MemoryIndexView>;
  /** What an agent learnt from others, and what its owner does with it. */
  unconfirmed(agentId: string): Promise<UnconfirmedMemory>;
}

export interface UnconfirmedMemory {
  /** By file and line. */
  list(): Promise<UnconfirmedLineView[]>;
  /** Throws PincerError `usage/not-found` where no line, or more than one, is meant; `storage/failed` where its file cannot be changed. */
  confirm(ref: string): Promise<UnconfirmedLineView>;
  /** Throws likewise. */
  drop(ref: string): Promise<UnconfirmedLineView>;
}

export interface MemorySearchRequest {
  agentId: string;
  text: string;
  limit: number;
  chat: ChatPlace;
}

export interface MemoryGetRequest {
  agentId: string;
  path: string;
  startLine?: number;
  endLine?: number;
  chat: ChatPlace;
}

export interface MemorySyncOptions {
  agentId?: string;
  /** Forgets what is indexed first; vectors are kept. */
  rebuild?: boolean;
  /** Unless false, vectors that are missing are made. */
  embed?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Who asks: a chat, or the owner at the command line. */
export type ChatPlace = { chatType: "main" | "direct" | "group"; sessionKey: string } | "owner";

/** The memory service as other parts know it, whether or not it is open yet. */
export interface Memory extends MemoryService {
  /** From now on the index follows what is written. */
  follow(): Promise<void>;
  /** The session is gone: its words have left the index when it resolves. Throws PincerError. */
  forget(sessionId: string): Promise<void>;
  /** Something was said there and is on the disk. Costs next to nothing; loads nothing. */
  said(session: Pick<SessionRecord, "sessionId">): void;
  /** The config is another one. */
  refresh(): void;
  /** Safe to call twice. */
  close(): Promise<void>;
}
