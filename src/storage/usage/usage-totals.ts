/** The running totals of the ledger: what limits are compared with. */
import { change, first, type Verb } from "../sqlite/database.ts";
import type { UsageDraft, UsageScope, UsageTotals } from "./usage.ts";

export const sums = ["input", "output", "cache_read", "cache_write", "total", "cost"] as const;
const counted = ["calls", "failures", "estimated", "unpriced", ...sums] as const;

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

/** Whose a call is, and when it began. */
export type CallOwner = Pick<UsageDraft, "turnId" | "sessionId" | "agentId" | "startedAt">;

/** Everything that a limit on this call could be about. */
export function scopesOf({ turnId, sessionId, agentId, startedAt }: CallOwner): UsageScope[] {
  const day = startedAt.slice(0, 10);
  return [
    ...(turnId === null ? [] : [{ type: "turn" as const, turnId }]),
    ...(sessionId === null ? [] : [{ type: "session" as const, sessionId }]),
    { type: "agent-day", agentId, day },
    { type: "day", day },
    { type: "month", month: day.slice(0, 7) },
  ];
}

/** Each of the scopes, by the same amounts. */
export function* raise(tenantId: string, scopes: readonly UsageScope[], amounts: StoredTotals): Verb<void> {
  const raised = counted.map((name) => amounts[name]);
  yield* change(
    raising(scopes.length),
    scopes.flatMap((scope) => [tenantId, scope.type, keyOf(scope), ...raised]),
  );
}

const raisings = new Map<number, string>();

/** Made once for each number of scopes: it is a long text, and every request to a model needs it. */
function raising(scopes: number): string {
  const known = raisings.get(scopes);
  if (known !== undefined) return known;
  const row = `(?, ?, ?, ${counted.map(() => "?").join(", ")})`;
  const made = `INSERT INTO usage_totals (tenant_id, scope, key, ${counted.join(", ")})
    VALUES ${Array.from({ length: scopes }, () => row).join(", ")}
    ON CONFLICT (tenant_id, scope, key) DO UPDATE SET
      ${counted.map((name) => `${name} = usage_totals.${name} + excluded.${name}`).join(", ")}`;
  raisings.set(scopes, made);
  return made;
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

/** Of the calls that have ended. */
export function* readEnded(tenantId: string, scope: UsageScope): Verb<StoredTotals> {
  const row = yield* first<StoredTotals>(
    `SELECT ${counted.join(", ")} FROM usage_totals WHERE tenant_id = ? AND scope = ? AND key = ?`,
    [tenantId, scope.type, keyOf(scope)],
  );
  return row ?? storedTotals(() => 0);
}

export function storedTotals(amountOf: (name: keyof StoredTotals) => number): StoredTotals {
  const totals = {} as StoredTotals;
  for (const name of counted) totals[name] = amountOf(name);
  return totals;
}
