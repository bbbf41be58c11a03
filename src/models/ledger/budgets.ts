/** Limits on usage. They are checked before a request is sent, so that endless work ends at the limit. */
import type { UsageDraft } from "../../storage/usage/usage.ts";

export interface BudgetLimits {
  calls?: number;
  tokens?: number;
  /** US dollars. */
  cost?: number;
  /** Milliseconds since the turn began; for turns only. */
  wallTimeMs?: number;
}

export interface BudgetSettings {
  turn: BudgetLimits;
  session: BudgetLimits;
  /** Of each agent, per day. */
  agent: BudgetLimits;
  /** For all agents and sessions together, per day and per calendar month. */
  day: BudgetLimits;
  month: BudgetLimits;
}

/** Whom a request is for. */
export interface CallPurpose {
  turnId: string | null;
  sessionId: string | null;
  sessionKey: string | null;
  agentId: string;
  /** When the turn began, in milliseconds; its wall time counts from here. */
  startedAt: number;
}

/** Why a request may not go out. */
export interface Refusal {
  allowed: false;
  scope: keyof BudgetSettings;
  limit: keyof BudgetLimits;
  allowance: number;
  used: number;
  /** The model, as `provider/model`: there is a limit on money, and nobody said what it costs. */
  unpriced?: string;
}

/** What one request takes, before it goes out. */
export interface CallNeed {
  provider: string;
  model: string;
  credential: string;
  /** Tokens of the question, roughly. */
  inputTokens: number;
  /** US dollars for the question, at the highest price that may apply. */
  inputCost: number;
  /** US dollars per million tokens of the answer, at the highest price that may apply. */
  outputPrice: number;
  /** The most tokens that the model answers with. */
  maxOutput: number;
  /** False: nobody knows what it costs. */
  isPriced: boolean;
}

/** One request that may go out. Settled or released once; what comes after that is ignored. */
export interface Reservation {
  /** The most tokens that the answer may have; left out where no limit says so. */
  room?: number;
  /** What the wire counted, in the place of what was reserved. Never throws; need not be waited for. */
  settle(draft: UsageDraft): void;
  /** Nothing was sent: as if it had never been asked for. Never throws; need not be waited for. */
  release(): void;
}

export interface Budgets {
  /**
   * Reserves one request before it goes out: it is written by the time this resolves, and on the disk with the next sync. Waits, as long as
   * `signal` allows, where only what others have reserved stands in the way; aborted meanwhile, it answers with what stood there. Throws what
   * the storage does.
   */
  reserve(
    settings: BudgetSettings,
    purpose: CallPurpose,
    need: CallNeed,
    signal: AbortSignal,
  ): Promise<{ allowed: true; reservation: Reservation } | Refusal>;
}
