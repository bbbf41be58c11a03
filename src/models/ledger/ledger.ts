/**
 * The ledger of what models have used, and the limits on it. Notes and checks stand in one line, so that a check has seen every call before
 * it; a call that was allowed counts from that moment, so that several turns at once do not go over a limit that they share.
 */
import type { Clock } from "../../infra/clock.ts";
import type { UsageDraft, UsageScope, UsageStore, UsageTotals } from "../../storage/usage.ts";
import type { BudgetLimits, BudgetSettings, Budgets, BudgetVerdict, CallPurpose } from "./budgets.ts";

export interface Ledger extends Budgets {
  /** Never throws and need not be waited for: a row that could not be written is told to `onError`, the turn goes on. */
  note(draft: UsageDraft): void;
  /** Resolves when everything noted so far is written or told. */
  settled(): Promise<void>;
}

export interface LedgerParts {
  usage: Pick<UsageStore, "add" | "totals">;
  clock: Clock;
  /** Must not throw. */
  onError(error: unknown): void;
}

export function createLedger({ usage, clock, onError }: LedgerParts): Ledger {
  /** By turn: a turn makes one request at a time. */
  const underWay = new Map<string, Allowed>();
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  };

  async function decide(
    settings: BudgetSettings,
    purpose: CallPurpose,
    estimate: Estimate,
  ): Promise<BudgetVerdict> {
    const now = clock.now();
    const refusal = overTime(settings.turn, now - purpose.startedAt);
    if (refusal) return refusal;
    // A new request of the same turn: whatever became of the last one, it is not under way.
    if (purpose.turnId !== null) underWay.delete(purpose.turnId);
    const left: Left = {};
    for (const { scope, of } of scopesOf(settings, purpose, now)) {
      const used = plus(await usage.totals(of), sharing(of, now));
      const over = exceeded(settings[scope], used, estimate);
      if (over) return { allowed: false, scope, ...over };
      lessen(left, settings[scope], used);
    }
    if (purpose.turnId !== null) underWay.set(purpose.turnId, { purpose, estimate, since: now });
    return { allowed: true, ...left };
  }

  /** What other turns were allowed within this scope, and has no row yet. One that has none after so long was never made. */
  function sharing(scope: UsageScope, now: number): Allowed[] {
    for (const [turnId, { since }] of underWay) if (now - since > forgottenAfterMs) underWay.delete(turnId);
    return [...underWay.values()].filter(({ purpose }) => isWithin(purpose, scope));
  }

  return {
    note(draft) {
      void inLine(async () => {
        try {
          await usage.add(draft);
        } catch (error) {
          onError(error);
        }
        if (draft.turnId !== null) underWay.delete(draft.turnId);
      });
    },
    check: (settings, purpose, estimate) => inLine(() => decide(settings, purpose, estimate)),
    settled: () => inLine(async () => undefined),
  };
}

const forgottenAfterMs = 30 * 60_000;

type Estimate = Parameters<Budgets["check"]>[2];
type Left = Pick<Extract<BudgetVerdict, { allowed: true }>, "tokensLeft" | "costLeft">;
type Refusal = Extract<BudgetVerdict, { allowed: false }>;

interface Allowed {
  purpose: CallPurpose;
  estimate: Estimate;
  since: number;
}

type Used = Pick<UsageTotals, "calls" | "total" | "cost">;

/** The scopes that have a limit, the narrowest first. */
function scopesOf(
  settings: BudgetSettings,
  { turnId, sessionId, agentId }: CallPurpose,
  now: number,
): Array<{ scope: keyof BudgetSettings; of: UsageScope }> {
  const day = new Date(now).toISOString().slice(0, 10);
  const all: Array<{ scope: keyof BudgetSettings; of: UsageScope }> = [
    ...(turnId === null ? [] : [{ scope: "turn" as const, of: { type: "turn" as const, turnId } }]),
    ...(sessionId === null
      ? []
      : [{ scope: "session" as const, of: { type: "session" as const, sessionId } }]),
    { scope: "agent", of: { type: "agent-day", agentId, day } },
    { scope: "day", of: { type: "day", day } },
    { scope: "month", of: { type: "month", month: day.slice(0, 7) } },
  ];
  return all.filter(({ scope }) => hasLimit(settings[scope]));
}

const hasLimit = ({ calls, tokens, cost }: BudgetLimits): boolean =>
  calls !== undefined || tokens !== undefined || cost !== undefined;

function isWithin({ sessionId, agentId }: CallPurpose, scope: UsageScope): boolean {
  switch (scope.type) {
    case "turn":
      return false;
    case "session":
      return sessionId === scope.sessionId;
    case "agent-day":
      return agentId === scope.agentId;
    case "day":
    case "month":
      return true;
  }
}

const plus = (totals: Used, allowed: readonly Allowed[]): Used => ({
  calls: totals.calls + allowed.length,
  total: allowed.reduce((sum, { estimate }) => sum + estimate.tokens, totals.total),
  cost: allowed.reduce((sum, { estimate }) => sum + estimate.cost, totals.cost),
});

function overTime({ wallTimeMs }: BudgetLimits, elapsed: number): Refusal | undefined {
  if (wallTimeMs === undefined || elapsed < wallTimeMs) return undefined;
  return { allowed: false, scope: "turn", limit: "wallTimeMs", allowance: wallTimeMs, used: elapsed };
}

/** Sums of prices are not exact to the last bit. */
const dust = 1e-9;

/** The first limit that one more request would go over. One that is reached to the last token leaves no room for an answer. */
function exceeded(
  { calls, tokens, cost }: BudgetLimits,
  used: Used,
  estimate: Estimate,
): Pick<Refusal, "limit" | "allowance" | "used"> | undefined {
  if (calls !== undefined && used.calls + 1 > calls)
    return { limit: "calls", allowance: calls, used: used.calls };
  if (tokens !== undefined && (used.total + estimate.tokens > tokens || used.total >= tokens))
    return { limit: "tokens", allowance: tokens, used: used.total };
  if (cost !== undefined && used.cost + estimate.cost > cost + dust)
    return { limit: "cost", allowance: cost, used: used.cost };
  return undefined;
}

function lessen(left: Left, { tokens, cost }: BudgetLimits, used: Used): void {
  if (tokens !== undefined) left.tokensLeft = Math.min(left.tokensLeft ?? Infinity, tokens - used.total);
  if (cost !== undefined) left.costLeft = Math.min(left.costLeft ?? Infinity, cost - used.cost);
}
