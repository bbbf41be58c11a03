/**
 * The audit log: who did what to which thing, as a chain in which no change, omission, move or addition without the
 * key goes unnoticed. It never contains what people said: texts are keyed digests and lengths. `storage.ts` states
 * the contract of all verbs.
 */
import type { AuditHead } from "./audit-seal.ts";

export interface AuditRecord {
  id: string;
  /** The place in the chain of the tenant, from 1. */
  seq: number;
  actor: string;
  action: string;
  resourceType: string;
  resourceId: string;
  /** What stands for the conversation (`sessionMark`), and the run that it belongs to, where there is one. */
  sessionKey: string | null;
  runId: string | null;
  metadata: Record<string, unknown>;
  createdAt: string;
}

export type AuditFact = Omit<AuditRecord, "id" | "seq" | "createdAt" | "sessionKey" | "runId"> &
  Partial<Pick<AuditRecord, "sessionKey" | "runId">>;

export interface AuditQuery {
  limit: number;
  /** Only rows with a lower seq. */
  before?: number;
  /** A session key, or its mark. */
  sessionKey?: string;
  runId?: string;
  actor?: string;
  action?: string;
  resourceId?: string;
  resourceType?: "session";
  /** Timestamps; `to` is exclusive. */
  from?: string;
  to?: string;
}

/** A stored row, unverified. */
export interface RawAudit {
  seq: unknown;
  digest: string;
  /** Whether the stored digest matches the row and this previous digest. */
  follows(previous: string): boolean;
  /** The digest that the row would have at another position. */
  digestAt(seq: number, previous: string): string;
}

export interface AuditChainState {
  /** Undefined if nothing was ever recorded, or if it was removed. */
  head: (AuditHead & { mac: string }) | undefined;
  /** All rows, whatever their positions. */
  rows: number;
  /** Rows with an invalid position, or one after the head. */
  misplaced: number;
}

export interface AuditStore {
  /** Stores a record; `metadata` must not contain what people said. */
  record(fact: AuditFact): Promise<AuditRecord>;
  /** Several in one transaction. `later`: along with the next write. */
  recordAll(facts: readonly AuditFact[], sync: "now" | "later"): Promise<AuditRecord[]>;
  /** Newest first. Scans in steps and yields between them. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** The end of the chain; undefined if nothing was ever recorded. */
  head(): Promise<AuditHead | undefined>;
  /** A consistent view of the chain; counts every row. */
  state(): Promise<AuditChainState>;
  /** Rows after the position `after`, in order. */
  page(after: number, limit: number): Promise<RawAudit[]>;
  /** The digest of a row; undefined where there is none. */
  digestAt(seq: number): Promise<string | undefined>;
  /** The head, once everything up to it is on disk. */
  settledHead(): Promise<AuditHead | undefined>;
  /** Notes that an anchor was written for this position, along with the next write. */
  noteAnchored(seq: number): Promise<void>;
  /**
   * Deletes rows older than `before` from the beginning, at most `limit`; returns how many. The sealed head records
   * it.
   */
  prune(before: string, limit: number): Promise<number>;
}
