/** The running totals of the ledger: what limits are compared with. */
import { change, first, type Verb } from "./database.ts";
import { noTotals, type UsageDraft, type UsageScope, type UsageTotals } from "./usage.ts";

export const sums = ["input", "output", "cache_read", "cache_write", "total", "cost"] as const;
export const counted = ["calls", "failures", "estimated", "unpriced", ...sums] as const;

export type StoredTotals = Record<(typeof counted)[number], number>;

/** Less than any token costs. */
const speck = 1e-10;

export const toTotals = (row: StoredTotals): UsageTotals => ({
  calls: row.calls,
  failures: row.failures,
  estimated: row.estimated,
  unpriced: row.unpriced,
  input: row.input,
  output: row.output,
  cacheRead: row.cache_read,
  cacheWrite: row.cache_write,
  total: row.total,
  // What was estimated and taken back leaves a speck behind.
  cost: Math.abs(row.cost) < speck ? 0 : row.cost,
});

/** Everything that a limit on this call could be about. */
export function scopesOf({
  turnId,
  sessionId,
  agentId,
  startedAt,
}: Pick<UsageDraft, "turnId" | "sessionId" | "agentId" | "startedAt">): UsageScope[] {
  const day = startedAt.slice(0, 10);
  return [
    ...(turnId === null ? [] : [{ type: "turn" as const, turnId }]),
    ...(sessionId === null ? [] : [{ type: "session" as const, sessionId }]),
    { type: "agent-day", agentId, day },
    { type: "day", day },
    { type: "month", month: day.slice(0, 7) },
  ];
}

export function* raise(tenantId: string, scope: UsageScope, amounts: StoredTotals): Verb<void> {
  yield* change(
    `INSERT INTO usage_totals (tenant_id, scope, key, ${counted.join(", ")}) VALUES (?, ?, ?, ${counted.map(() => "?").join(", ")})
    ON CONFLICT (tenant_id, scope, key) DO UPDATE SET
      ${counted.map((name) => `${name} = usage_totals.${name} + excluded.${name}`).join(", ")}`,
    [tenantId, scope.type, keyOf(scope), ...counted.map((name) => amounts[name])],
  );
}

export const isSameScope = (one: UsageScope, other: UsageScope): boolean =>
  one.type === other.type && keyOf(one) === keyOf(other);

function keyOf(scope: UsageScope): string {
  switch (scope.type) {
    case "turn":
      return scope.turnId;
    case "session":
      return scope.sessionId;
    case "agent-day":
      return `${scope.day} ${scope.agentId}`;
    case "day":
      return scope.day;
    case "month":
      return scope.month;
  }
}

export function* readTotals(tenantId: string, scope: UsageScope): Verb<UsageTotals> {
  const row = yield* first<StoredTotals>(
    `SELECT ${counted.join(", ")} FROM usage_totals WHERE tenant_id = ? AND scope = ? AND key = ?`,
    [tenantId, scope.type, keyOf(scope)],
  );
  return row ? toTotals(row) : noTotals();
}
