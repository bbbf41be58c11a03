/** The ledger: a row per request that went to a provider, and running totals of it. The promises that all verbs keep are in `storage.ts`. */
import type { ModelErrorCode, Usage } from "@pincer/sdk";

export interface UsageDraft {
  /** Null where it was not part of a turn: a test of a model, say. */
  turnId: string | null;
  sessionId: string | null;
  sessionKey: string | null;
  agentId: string;
  provider: string;
  model: string;
  /** Name of the credential; null where none was needed. */
  credential: string | null;
  usage: Usage;
  outcome: "ok" | "aborted" | ModelErrorCode;
  startedAt: string;
  durationMs: number;
  /** Until the first byte of the answer; null when none came. */
  firstByteMs: number | null;
}

export interface UsageRow extends UsageDraft {
  position: number;
}

export interface UsageTotals {
  calls: number;
  /** Calls that ended in an error. */
  failures: number;
  /** Calls whose tokens nobody told us: counted by ourselves. */
  estimated: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
}

/** What a limit can be about. Days are those of UTC, as `YYYY-MM-DD`. */
export type UsageScope =
  | { type: "turn"; turnId: string }
  | { type: "session"; sessionId: string }
  | { type: "agent-day"; agentId: string; day: string }
  | { type: "day"; day: string }
  | { type: "month"; month: string };

export type UsageGrouping = "model" | "session" | "agent" | "day" | "credential";

export interface UsageQuery {
  by: UsageGrouping;
  /** Moments, RFC 3339; `to` is not within. */
  from?: string;
  to?: string;
  sessionId?: string;
  sessionKey?: string;
  agentId?: string;
  limit: number;
}

/** `key` names what was grouped by; a dash where a call had none such. */
export type UsageSum = UsageTotals & { key: string; lastAt: string };

export interface UsageStore {
  /** The row and all its totals, in one transaction; from then on it is read. Rides with the next write. */
  add(draft: UsageDraft): Promise<void>;
  /** The cost is the same however much lies in the ledger. A turn counts from its beginning, or from when it was last continued. */
  totals(scope: UsageScope): Promise<UsageTotals>;
  /** Sums by what `by` names, the most expensive first, then the most used. */
  report(query: UsageQuery): Promise<UsageSum[]>;
  /** Newest first. */
  list(query: { limit: number; before?: number; turnId?: string; sessionId?: string }): Promise<UsageRow[]>;
  /** Deletes rows from before this moment, and what totals remain of turns and sessions that are gone; those by day and month stay. Answers how many rows. */
  prune(before: string, limit: number): Promise<number>;
}

export const noTotals = (): UsageTotals => ({
  calls: 0,
  failures: 0,
  estimated: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  total: 0,
  cost: 0,
});
