/** Limits on what may be used. They are looked at before a request goes out, so that what would go on for ever ends at the limit. */

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
  /** Of the whole house, per day and per calendar month. */
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

export type BudgetVerdict =
  /** The least that any limit leaves for this request and its answer: tokens, and US dollars. */
  | { allowed: true; tokensLeft?: number; costLeft?: number }
  | {
      allowed: false;
      scope: keyof BudgetSettings;
      limit: keyof BudgetLimits;
      allowance: number;
      used: number;
    };

export interface Budgets {
  /** Whether one more request may go out, given roughly how many tokens and dollars it takes at least. Throws what the storage does. */
  check(
    settings: BudgetSettings,
    purpose: CallPurpose,
    estimate: { tokens: number; cost: number },
  ): Promise<BudgetVerdict>;
}
