/**
 * The audit log: who did what to which thing, as a chain in which nothing can be changed, left out, moved or added without the key and stay
 * unseen. It never holds what people said: texts are in it as keyed digests and lengths. The promises that all verbs keep are in `storage.ts`.
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
  /** Only those with a lower seq. */
  before?: number;
  /** A session key, or what stands for one. */
  sessionKey?: string;
  runId?: string;
  actor?: string;
  action?: string;
  resourceId?: string;
  resourceType?: "session";
  /** Moments; `to` is not within. */
  from?: string;
  to?: string;
}

/** A row as it is stored, to be looked at with suspicion. */
export interface RawAudit {
  seq: unknown;
  digest: string;
  /** Whether the stored digest is the one that the row and this digest before it give. */
  follows(previous: string): boolean;
  /** The digest that the row would have at another place. */
  digestAt(seq: number, previous: string): string;
}

export interface AuditChainState {
  /** Undefined where nothing was ever recorded, or somebody took it away. */
  head: (AuditHead & { mac: string }) | undefined;
  /** How many rows there are, whatever their places. */
  rows: number;
  /** How many of them have a place that is none, or one behind the head. */
  misplaced: number;
}

export interface AuditStore {
  /** Keeps it; `metadata` must not hold what people said. */
  record(fact: AuditFact): Promise<AuditRecord>;
  /** Several at once, in one transaction. `later` rides with the next write. */
  recordAll(facts: readonly AuditFact[], sync: "now" | "later"): Promise<AuditRecord[]>;
  /** Newest first. Looks through a part at a time, so that others get their turn. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Where the chain ends; undefined where nothing was ever recorded. */
  head(): Promise<AuditHead | undefined>;
  /** The chain as it is at one moment; counts every row. */
  state(): Promise<AuditChainState>;
  /** Rows with a place above `after`, in the order of their places. */
  page(after: number, limit: number): Promise<RawAudit[]>;
  /** The digest of a row; undefined where there is none. */
  digestAt(seq: number): Promise<string | undefined>;
  /** The head; what it stands for is on the disk when it resolves. */
  settledHead(): Promise<AuditHead | undefined>;
  /** Notes that an anchor was written for this place. Rides with the next write. */
  noteAnchored(seq: number): Promise<void>;
  /** Clears away what is older than `before`, from the beginning on, at most `limit` rows; answers how many. The head says so, under its seal. */
  prune(before: string, limit: number): Promise<number>;
}
