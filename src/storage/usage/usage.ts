/** The ledger: a row per request that went to a provider, and running totals of it. The promises that all verbs keep are in `storage.ts`. */
import type { ModelErrorCode, Usage, UsageView } from "@pincer/sdk";
import type { LeaseHolder } from "../stores.ts";

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

/** What is known of a request before it goes out; its usage is an estimate of the question alone. */
export interface UsageOpening extends Omit<UsageDraft, "outcome" | "durationMs" | "firstByteMs"> {
  /** Nobody knows what it costs. */
  isUnpriced: boolean;
  /** The process that sends it. */
  holder: LeaseHolder;
}

/** How a request ended. Whose it was and when it began was said when it was opened. */
export type UsageSettlement = Pick<UsageDraft, "usage" | "outcome" | "durationMs" | "firstByteMs">;

export interface UsageRow extends Omit<UsageDraft, "outcome"> {
  position: number;
  /** open: under way. lost: its process ended before the answer did, so that its usage is what was estimated of the question. */
  outcome: UsageDraft["outcome"] | "open" | "lost";
  unpriced?: true;
}

/** Sums, within the scope of the caller. */
export type UsageTotals = UsageView;

/** What a limit can be about. Days are those of UTC, as `YYYY-MM-DD`. */
export type UsageScope =
  | { type: "turn"; turnId: string }
  | { type: "session"; sessionId: string }
  | { type: "agent-day"; agentId: string; day: string }
  | { type: "day"; day: string }
  | { type: "month"; month: string };

export type UsageGrouping = "model" | "session" | "agent" | "day" | "credential";

export interface DailyQuery {
  by: Exclude<UsageGrouping, "day">;
  /** Moments, RFC 3339; `to` is not within. */
  from?: string;
  to?: string;
  agentId?: string;
  limit: number;
}

/** What the calls of one turn took together; `models` are `provider/model`, in the order of their first use. */
export interface TurnSum {
  turnId: string;
  calls: number;
  total: number;
  cost: number;
  unpriced: number;
  models: string[];
}

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

/** An amount that a limit can be about. */
export interface UsageAmount {
  calls: number;
  tokens: number;
  cost: number;
}

/** How a scope stands when a request is judged. */
export interface UsageStanding {
  /** All that has a row, the questions of those under way included. */
  used: UsageAmount;
  /** The part of it that is under way: it may still turn out to be less. */
  underWay: UsageAmount;
  /** What the answers of those under way may take on top. */
  rooms: Omit<UsageAmount, "calls">;
}

export interface OpenCall {
  holder: LeaseHolder;
  startedAt: string;
}

/** Decides within the transaction, so that no other request comes between. Called again when the transaction is; changes nothing. */
export interface UsageJudge<Refused> {
  scopes: readonly UsageScope[];
  /** Whether its opener can no longer settle it: its answer then reserves nothing more. */
  isGone(call: OpenCall): boolean;
  /** Given the standing of each scope, in their order: what the answer may take, or why the request may not go out. */
  decide(
    standings: readonly UsageStanding[],
  ): { allowed: true; room: UsageStanding["rooms"] } | { allowed: false; refused: Refused };
}

export type UsageOpened<Refused> =
  | { opened: true; position: number; room: UsageStanding["rooms"] }
  | { opened: false; refused: Refused };

export interface UsageStore {
  /** The row of a request that is about to go out, and all its totals, unless the judge refuses it. Rides with the next write. */
  open<Refused>(opening: UsageOpening, judge: UsageJudge<Refused>): Promise<UsageOpened<Refused>>;
  /** What it took, in the place of what was estimated. Nothing where it is not open any more. Rides with the next write. */
  settle(position: number, settlement: UsageSettlement): Promise<void>;
  /** It was never sent: the row is gone, and its totals are as before. Nothing where it is not open any more. Rides with the next write. */
  release(position: number): Promise<void>;
  /** Open rows that nobody can settle any more become lost. Answers how many. */
  loseGone(isGone: (call: OpenCall) => boolean): Promise<number>;
  /** The cost is the same however much lies in the ledger. A turn counts from its beginning, or from when it was last continued. */
  totals(scope: UsageScope): Promise<UsageTotals>;
  /** Sums by what `by` names, the most expensive first, then the most used. */
  report(query: UsageQuery): Promise<UsageSum[]>;
  /** Sums by day (UTC) and by what `by` names: the newest days, oldest first among them. */
  daily(query: DailyQuery): Promise<Array<UsageSum & { day: string }>>;
  /** Of each turn that made calls, in no order. Costs what these turns made, however much lies in the ledger. */
  ofTurns(turnIds: readonly string[]): Promise<TurnSum[]>;
  /** Newest first. */
  list(query: { limit: number; before?: number; turnId?: string; sessionId?: string }): Promise<UsageRow[]>;
  /** Deletes rows from before this moment, and what totals remain of turns and sessions that are gone; those by day and month stay. Answers how many rows. */
  prune(before: string, limit: number): Promise<number>;
}

export const noTotals = (): UsageTotals => ({
  calls: 0,
  failures: 0,
  estimated: 0,
  unpriced: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  total: 0,
  cost: 0,
});
