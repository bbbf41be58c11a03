/**
 * Sessions, entries, leases and directory: what the product asks of its storage about them. The promises that all verbs
 * keep are in `storage.ts`.
 */
import type { Entry, EntryBody, MessageEntry } from "@pincer/sdk";
import type { AsideSpan } from "./set-aside.ts";

/** Where a session's messages come from; kept as given, `channel` and `peerKey` also as columns. */
export interface SessionOrigin {
  channel: string;
  accountId?: string;
  peerKey?: string;
  threadKey?: string;
  subject?: string;
}

export interface TokenCounters {
  input: number;
  output: number;
  /** Size of the last request's context. */
  context: number;
  total: number;
}

/** The small mutable record of one session. */
export interface SessionRecord {
  sessionId: string;
  tenantId: string;
  workspaceId: string;
  agentId: string;
  sessionKey: string;
  origin: SessionOrigin;
  /** At most one session per key is active; the others are its past. */
  state: "active" | "ended";
  memoryEnabled: boolean;
  /** What it wishes for its turns, by name: the last `event` entry named `session-setting` of each. */
  settings: Readonly<Record<string, string>>;
  compactedMessageCount: number;
  compactionCount: number;
  memoryFlushAt: string | null;
  tokens: TokenCounters;
  /** The highest seq; 1 right after creation. */
  lastSeq: number;
  messageCount: number;
  /** How far the JSONL copy is known to have been written. */
  mirroredSeq: number;
  createdAt: string;
  updatedAt: string;
}

/** Somebody who says something or is answered. */
export interface Person {
  role: "owner" | "peer" | "system";
  /** `channel:id`. */
  id: string;
  name?: string;
}

export interface OpenSession {
  sessionKey: string;
  workspaceId: string;
  agentId: string;
  origin: SessionOrigin;
  cwd: string;
}

/** A session that has just ended: its last mark, and what was said last. */
export interface LastSession {
  session: SessionRecord;
  mark: Entry | undefined;
  said: MessageEntry[];
}

export interface SessionPage {
  sessions: SessionRecord[];
  /** Hand it back as `after` for the next page; null at the end. */
  next: string | null;
}

export interface SessionStore {
  /** The active session of the key, created with its `session` entry where there is none. Safe to call from many processes at once: one of them creates. */
  open(request: OpenSession): Promise<{ session: SessionRecord; created: boolean }>;
  /** Ends the active session of the key, if any, with a `session-ended` entry, and creates a new one that inherits the memory switch. */
  openNew(
    request: OpenSession,
    /** What the new one takes over from the one that it ends: its first entry, written together with it. */
    carry?: (last: LastSession) => EntryBody | undefined,
  ): Promise<{ session: SessionRecord; ended: SessionRecord | undefined }>;
  /**
   * Makes a session that has ended the active one of its key again, with a `session-resumed` entry, and ends the one that was. Nothing changes where
   * it is active. Throws `session/not-found`.
   */
  resume(sessionId: string): Promise<{ session: SessionRecord; ended: SessionRecord | undefined }>;
  /** The one that `open` would answer with. */
  findActive(workspaceId: string, sessionKey: string): Promise<SessionRecord | undefined>;
  /** Active or ended. */
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /**
   * Newest activity first, keyset paging; `limit` at most 1000. `search` finds a part of the session key, of its
   * setting `label`, of its subject or of its first words, upper and lower case alike; `without` leaves out keys that hold one of these. Throws `usage/bad-argument` when `after` is no `next` of a page.
   */
  list(query: {
    limit: number;
    after?: string;
    agentId?: string;
    channel?: string;
    state?: SessionRecord["state"];
    search?: string;
    without?: readonly string[];
  }): Promise<SessionPage>;
  /** The first message of a user in each, where there is one near the beginning; costs the same whatever the sessions' lengths. */
  openings(sessionIds: readonly string[]): Promise<Map<string, MessageEntry>>;
  /** Records the switch in the index and as an `event` entry named `memory-switched`. No entry when it stays as it was. */
  switchMemory(sessionId: string, enabled: boolean): Promise<SessionRecord>;
  /** Adds to the counters and sets `context`. Rides with the next write: the entries can tell them again. */
  addTokens(sessionId: string, tokens: TokenCounters): Promise<void>;
  /** Sessions whose JSONL copy is behind, oldest first. */
  listUnmirrored(limit: number): Promise<SessionRecord[]>;
  /** Notes how far the copy was written. Never moves backwards. Rides with the next write; `along`: is written only with that, or after a short while. */
  markMirrored(sessionId: string, seq: number, when?: "along"): Promise<void>;
  /**
   * Before a session is deleted: empties what later ones of its key took over of it (entries `carried`), one from another. Answers with the sessions
   * that hold such an entry, emptied before or now; their copies count as not written. On the disk when it resolves.
   */
  forgetCarried(sessionId: string): Promise<SessionRecord[]>;
  /** Really deletes the session and its entries; an audit record without content remains. False when there was none. */
  delete(sessionId: string, actor: string): Promise<boolean>;
  /**
   * Takes in a session read from a transcript: the header, then the entries as they are (seq and time kept).
   * `exists` when the id is there already. It becomes the active one of its key unless it had ended or the key has one.
   * The record is rebuilt from the entries; how far a copy exists is unknown, so it counts as unmirrored.
   * Throws `transcript/unreadable` unless the first is a `session` entry and the seqs rise.
   */
  restore(entries: Entry[]): Promise<{ type: "restored"; session: SessionRecord } | { type: "exists" }>;
  /**
   * Entries of a session that is there and has lost its last ones: what the database has is a beginning of them. Adds those that are missing,
   * and answers how many. Zero, and nothing is changed, where the database has as many, or something else.
   */
  takeBack(entries: Entry[]): Promise<number>;
  /** After damage: the ids of those whose entries are not all there. */
  listTorn(): Promise<string[]>;
  /**
   * Makes the entries of a session whole again that has lost some. A copy fills the gaps if the two say the same wherever both speak; for each of
   * the others stands an event `entry-lost` then. The JSONL copy counts as not written. Safe to call twice.
   */
  mend(sessionId: string, copy: readonly Entry[]): Promise<MendedSession>;
}

export interface MendedSession {
  /** Entries that came back from the copy. */
  filled: number;
  /** Entries that nobody knows any more. */
  lost: number;
}

export interface EntryStore {
  /**
   * Appends with the next seqs, all or none, and brings the session's record in step: counts, the memory
   * switch (`event` named `memory-switched`), its settings (`session-setting`), its last flush (`memory-flushed`), compactions. With `fence`, only while that lease is still held:
   * otherwise throws PincerError `session/lost-lease` and nothing is written.
   */
  append(sessionId: string, bodies: EntryBody[], fence?: Fence): Promise<Entry[]>;
  /** The newest `limit` entries in rising order; costs the same whatever the session's length. */
  recent(sessionId: string, limit: number): Promise<Entry[]>;
  /** The newest `limit` entries with seq < `before`, in rising order; costs the same whatever the session's length. */
  before(sessionId: string, before: number, limit: number): Promise<Entry[]>;
  /** Entries with seq > `after` in rising order, at most `limit`. */
  after(sessionId: string, after: number, limit: number): Promise<Entry[]>;
  /**
   * What a turn sees of its session: the last mark (compaction, anchor, or event `carried`), and of the messages that it leaves to be shown (from `keepFrom`
   * of a compaction, else behind the mark) the newest `limit` with seq < `before`, in rising order. The mark may lie behind `before`. Neither
   * is anything that was superseded (`event` entries named `set-aside`). Costs the same whatever the session's length.
   */
  view(
    sessionId: string,
    query: { before: number; limit: number },
  ): Promise<{ mark: Entry | undefined; said: MessageEntry[]; isCut: boolean }>;
  /** Messages with seq >= `from` that were not superseded, in rising order, at most `limit`. */
  messagesFrom(sessionId: string, from: number, limit: number): Promise<MessageEntry[]>;
  /** One entry. */
  at(sessionId: string, seq: number): Promise<Entry | undefined>;
  /** The ranges that were superseded, in rising order, none touching another. */
  asides(sessionId: string): Promise<AsideSpan[]>;
  /** Compactions and anchors that were not superseded, newest first. */
  marks(sessionId: string, limit: number): Promise<Entry[]>;
  /**
   * Messages whose words hold all of `terms`, upper and lower case alike (CJK too), newest first; of this session, or of all of its key with
   * `everySession`; only those that `isWanted`. Looks through about `most` messages; `stoppedAt` says how far back it came where there are more.
   * Reads little at a time, so that others get their turn.
   */
  search(
    sessionId: string,
    query: {
      terms: readonly string[];
      limit: number;
      everySession?: boolean;
      isWanted?: (entry: MessageEntry) => boolean;
      most?: number;
    },
  ): Promise<{
    found: Array<{ sessionId: string; entry: MessageEntry }>;
    stoppedAt: { sessionId: string; seq: number } | null;
  }>;
}

/** Proof of holding a lease. The fencing number rises with each change of hands. */
export interface Fence {
  name: string;
  fencing: number;
}

/** Who holds a lease: enough for anyone on the same machine to see whether the holder still lives. */
export interface LeaseHolder {
  /** Tells holders apart, also two of one process. */
  id: string;
  pid: number;
  host: string;
  /** Where on that host the pid counts; absent or empty when it is not known. */
  pidNamespace?: string;
  /** When that process started, as the system counts it; a reused pid has another one. */
  processStart: string;
}

export interface HeldLease {
  holder: LeaseHolder;
  fencing: number;
  acquiredAt: string;
  expiresAt: string;
}

/** Lease writes ride with the next write: a power cut takes the holders with it. */
export interface AcquireLease {
  name: string;
  holder: LeaseHolder;
  ttlMs: number;
  isStale: (held: HeldLease) => boolean;
}

export type AcquireOutcome = { type: "acquired"; fence: Fence } | { type: "held"; lease: HeldLease };

export interface LeaseStore {
  /**
   * Takes the lease if it is free, expired, or held by a holder that `isStale` says is gone.
   * Answers `held` with the present holder otherwise, be it the same one; the caller decides whether to wait.
   */
  acquire(request: AcquireLease): Promise<AcquireOutcome>;
  /** Only reads. An expired lease that nobody has taken over is still found; a released one is not. */
  find(name: string): Promise<HeldLease | undefined>;
  /** False when it was no longer held under that fence. */
  renew(fence: Fence, ttlMs: number): Promise<boolean>;
  /**
   * Nothing happens when it was no longer held under that fence. `along`: with the next write that comes, or after a short while; others
   * find it held until then.
   */
  release(fence: Fence, when?: "along"): Promise<void>;
}

/** The tenant itself, its spaces and its agents. */
export interface DirectoryStore {
  /** Makes sure that the rows exist; never changes one that does. */
  ensure(rows: {
    tenant: { name: string; plan: string };
    workspace: { id: string; name: string };
    agent: { id: string; name: string };
  }): Promise<void>;
  /** Writes down the agents of a space as the config has them; those that it has no more are `removed`. Writes nothing where nothing changed. */
  keepAgents(workspaceId: string, agents: readonly AgentPolicy[]): Promise<void>;
  /** By id. */
  listAgents(): Promise<Array<AgentPolicy & { workspaceId: string; status: "active" | "removed" }>>;
}

export interface AgentPolicy {
  id: string;
  name: string;
  /** Which models answer for it. */
  modelPolicy: { primary?: string; fallbacks?: string[] };
  /** What it says about tools besides what holds for all. */
  toolPolicy: { profile?: string; allow?: string[]; deny?: string[] };
}
