/** The ledger: each request to a provider is a row, and raises the totals that limits are compared with. */
import { all, change, type Database, type SqlValue, type Verb } from "../sqlite/database.ts";
import { narrowed } from "../access/narrowed.ts";
import { loseGone, openCall, releaseCall, settleCall, totalsOf } from "./usage-open.ts";
import { sums, toTotals, type StoredTotals } from "./usage-totals.ts";
import type {
  DailyQuery,
  TurnSum,
  UsageGrouping,
  UsageQuery,
  UsageRow,
  UsageStore,
  UsageSum,
} from "./usage.ts";

export function createUsageStore({
  database,
  tenantId,
}: {
  database: Database;
  tenantId: string;
}): UsageStore {
  return {
    open: (opening, judge) => database.write(() => openCall(tenantId, opening, judge), { sync: "later" }),
    settle: (position, settlement) =>
      database.write(() => settleCall(tenantId, position, settlement), { sync: "later" }),
    release: (position) => database.write(() => releaseCall(tenantId, position), { sync: "later" }),
    loseGone: (isGone) => database.write(() => loseGone(tenantId, isGone), { sync: "later" }),
    totals: (scope) => database.read(() => totalsOf(tenantId, scope)),
    report: (query) => database.read(() => report(tenantId, query)),
    daily: (query) => database.read(() => daily(tenantId, query)),
    ofTurns: (turnIds) => database.read(() => ofTurns(tenantId, turnIds)),
    list: (query) => database.read(() => list(tenantId, query)),
    prune: (before, limit) => database.write(() => prune(tenantId, before, limit), { sync: "now" }),
  };
}

/** Its totals begin anew: it was continued, or it is gone. */
export function* forgetTurnTotals(tenantId: string, turnId: string): Verb<void> {
  yield* change("DELETE FROM usage_totals WHERE tenant_id = ? AND scope = 'turn' AND key = ?", [
    tenantId,
    turnId,
  ]);
  yield* change("UPDATE usage_open SET turn_id = NULL WHERE tenant_id = ? AND turn_id = ?", [
    tenantId,
    turnId,
  ]);
}

/** What was used stays in the sums of days and models; whose it was is forgotten. */
export function* forgetSessionUsage(tenantId: string, sessionId: string): Verb<void> {
  yield* change("DELETE FROM usage_totals WHERE tenant_id = ? AND scope = 'session' AND key = ?", [
    tenantId,
    sessionId,
  ]);
  yield* change(
    `UPDATE usage_calls SET turn_id = NULL, session_id = NULL, session_key = NULL
    WHERE tenant_id = ? AND session_id = ?`,
    [tenantId, sessionId],
  );
  yield* change(
    "UPDATE usage_open SET turn_id = NULL, session_id = NULL WHERE tenant_id = ? AND session_id = ?",
    [tenantId, sessionId],
  );
}

const groupings: Record<UsageGrouping, string> = {
  model: "provider || '/' || model",
  session: "coalesce(session_key, '-')",
  agent: "agent_id",
  day: "substr(started_at, 1, 10)",
  credential: "coalesce(credential, '-')",
};

function* report(tenantId: string, query: UsageQuery): Verb<UsageSum[]> {
  const { where, parameters } = narrowed(tenantId, {
    "started_at >=": query.from,
    "started_at <": query.to,
    "session_id =": query.sessionId,
    "session_key =": query.sessionKey,
    "agent_id =": query.agentId,
  });
  const rows = yield* all<StoredTotals & { key: string; last_at: string }>(
    `SELECT ${groupings[query.by]} AS key, ${summed}
    FROM usage_calls WHERE ${where} GROUP BY 1 ORDER BY sum(cost) DESC, sum(total) DESC, calls DESC, key LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows.map((row) => ({ ...toTotals(row), key: row.key, lastAt: row.last_at }));
}

/** What one group of calls took. */
const summed = `max(started_at) AS last_at, count(*) AS calls,
  sum(CASE WHEN outcome IN ('ok', 'aborted', 'open') THEN 0 ELSE 1 END) AS failures,
  sum(estimated) AS estimated, sum(unpriced) AS unpriced,
  ${sums.map((name) => `sum(${name}) AS ${name}`).join(", ")}`;

function* daily(tenantId: string, query: DailyQuery): Verb<Array<UsageSum & { day: string }>> {
  const { where, parameters } = narrowed(tenantId, {
    "started_at >=": query.from,
    "started_at <": query.to,
    "agent_id =": query.agentId,
  });
  const rows = yield* all<StoredTotals & { day: string; key: string; last_at: string }>(
    `SELECT ${groupings.day} AS day, ${groupings[query.by]} AS key, ${summed}
    FROM usage_calls WHERE ${where} GROUP BY 1, 2 ORDER BY 1 DESC, sum(cost) DESC, sum(total) DESC, 2 LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows
    .map((row) => ({ ...toTotals(row), day: row.day, key: row.key, lastAt: row.last_at }))
    .toReversed();
}

function* ofTurns(tenantId: string, turnIds: readonly string[]): Verb<TurnSum[]> {
  if (turnIds.length === 0) return [];
  const { where, parameters } = narrowed(tenantId, { turn_id: [...turnIds] });
  const rows = yield* all<Omit<TurnSum, "turnId" | "models"> & { turn_id: string; name: string }>(
    `SELECT turn_id, provider || '/' || model AS name, count(*) AS calls, sum(total) AS total, sum(cost) AS cost,
      sum(unpriced) AS unpriced
    FROM usage_calls WHERE ${where} AND turn_id IS NOT NULL GROUP BY turn_id, 2 ORDER BY min(position)`,
    parameters,
  );
  const found = new Map<string, TurnSum>();
  for (const { turn_id: turnId, name, calls, total, cost, unpriced } of rows) {
    const sum = found.get(turnId) ?? { turnId, calls: 0, total: 0, cost: 0, unpriced: 0, models: [] };
    found.set(turnId, {
      turnId,
      calls: sum.calls + calls,
      total: sum.total + total,
      cost: sum.cost + cost,
      unpriced: sum.unpriced + unpriced,
      models: [...sum.models, name],
    });
  }
  return [...found.values()];
}

interface StoredCall extends Record<(typeof sums)[number], number> {
  position: number;
  turn_id: string | null;
  session_id: string | null;
  session_key: string | null;
  agent_id: string;
  provider: string;
  model: string;
  credential: string | null;
  outcome: UsageRow["outcome"];
  estimated: number;
  unpriced: number;
  started_at: string;
  duration_ms: number;
  first_byte_ms: number | null;
}

function* list(tenantId: string, query: Parameters<UsageStore["list"]>[0]): Verb<UsageRow[]> {
  const { where, parameters } = narrowed(tenantId, {
    "position <": query.before,
    "turn_id =": query.turnId,
    "session_id =": query.sessionId,
  });
  const rows = yield* all<StoredCall>(
    `SELECT position, turn_id, session_id, session_key, agent_id, provider, model, credential, outcome, estimated,
      unpriced, ${sums.join(", ")}, started_at, duration_ms, first_byte_ms
    FROM usage_calls WHERE ${where} ORDER BY position DESC LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows.map(toRow);
}

const toRow = (row: StoredCall): UsageRow => ({
  position: row.position,
  turnId: row.turn_id,
  sessionId: row.session_id,
  sessionKey: row.session_key,
  agentId: row.agent_id,
  provider: row.provider,
  model: row.model,
  credential: row.credential,
  usage: {
    input: row.input,
    output: row.output,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    total: row.total,
    cost: row.cost,
    ...(row.estimated === 1 ? { estimated: true } : {}),
  },
  outcome: row.outcome,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  firstByteMs: row.first_byte_ms,
  ...(row.unpriced === 1 ? { unpriced: true } : {}),
});

function* prune(tenantId: string, before: string, limit: number): Verb<number> {
  const rows = yield* all<Pick<StoredCall, "position" | "turn_id" | "session_id">>(
    `SELECT position, turn_id, session_id FROM usage_calls
    WHERE tenant_id = ? AND started_at < ? ORDER BY started_at LIMIT ?`,
    [tenantId, before, Math.max(0, limit)],
  );
  for (const { position } of rows)
    yield* change("DELETE FROM usage_calls WHERE tenant_id = ? AND position = ?", [tenantId, position]);
  for (const key of distinct(rows.map((row) => row.turn_id))) yield* dropOrphan(tenantId, "turn", key);
  for (const key of distinct(rows.map((row) => row.session_id))) yield* dropOrphan(tenantId, "session", key);
  return rows.length;
}

const distinct = (ids: ReadonlyArray<string | null>): string[] => [
  ...new Set(ids.filter((id) => id !== null)),
];

/** A total whose turn or session is gone; one that is still there may be asked for. */
function* dropOrphan(tenantId: string, scope: "turn" | "session", key: string): Verb<void> {
  const table = scope === "turn" ? "turns" : "sessions";
  const parameters: SqlValue[] = [tenantId, scope, key, tenantId, key];
  yield* change(
    `DELETE FROM usage_totals WHERE tenant_id = ? AND scope = ? AND key = ?
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE tenant_id = ? AND id = ?)`,
    parameters,
  );
}
