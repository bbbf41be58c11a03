/** The ledger: each request to a provider is a row, and raises the totals that limits are compared with. */
import { all, change, first, type Database, type SqlValue, type Verb } from "./database.ts";
import { narrowed } from "./narrowed.ts";
import { noTotals, type UsageDraft, type UsageGrouping, type UsageScope } from "./usage.ts";
import type { UsageQuery, UsageRow, UsageStore, UsageSum, UsageTotals } from "./usage.ts";

export function createUsageStore({
  database,
  tenantId,
}: {
  database: Database;
  tenantId: string;
}): UsageStore {
  return {
    add: (draft) => database.write(() => addUsage(tenantId, draft), { sync: "later" }),
    totals: (scope) => database.read(() => readTotals(tenantId, scope)),
    report: (query) => database.read(() => report(tenantId, query)),
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
}

const sums = ["input", "output", "cache_read", "cache_write", "total", "cost"] as const;
const counted = ["calls", "failures", "estimated", ...sums] as const;

type StoredTotals = Record<(typeof counted)[number], number>;

const toTotals = (row: StoredTotals): UsageTotals => ({
  calls: row.calls,
  failures: row.failures,
  estimated: row.estimated,
  input: row.input,
  output: row.output,
  cacheRead: row.cache_read,
  cacheWrite: row.cache_write,
  total: row.total,
  cost: row.cost,
});

function* addUsage(tenantId: string, draft: UsageDraft): Verb<void> {
  const { usage, outcome } = draft;
  const startedAt = new Date(draft.startedAt).toISOString();
  const estimated = usage.estimated === true ? 1 : 0;
  const amounts = [
    usage.input,
    usage.output,
    usage.cacheRead,
    usage.cacheWrite,
    usage.total,
    usage.cost,
  ] as const;
  yield* change(
    `INSERT INTO usage_calls (tenant_id, position, turn_id, session_id, session_key, agent_id, provider, model, credential,
      outcome, estimated, ${sums.join(", ")}, started_at, duration_ms, first_byte_ms)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM usage_calls WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tenantId,
      tenantId,
      draft.turnId,
      draft.sessionId,
      draft.sessionKey,
      draft.agentId,
      draft.provider,
      draft.model,
      draft.credential,
      outcome,
      estimated,
      ...amounts,
      startedAt,
      Math.round(draft.durationMs),
      draft.firstByteMs === null ? null : Math.round(draft.firstByteMs),
    ],
  );
  const isFailure = outcome !== "ok" && outcome !== "aborted";
  for (const scope of scopesOf(draft, startedAt))
    yield* raise(tenantId, scope, [1, isFailure ? 1 : 0, estimated, ...amounts]);
}

/** Everything that a limit on this call could be about. */
function scopesOf({ turnId, sessionId, agentId }: UsageDraft, startedAt: string): UsageScope[] {
  const day = startedAt.slice(0, 10);
  return [
    ...(turnId === null ? [] : [{ type: "turn" as const, turnId }]),
    ...(sessionId === null ? [] : [{ type: "session" as const, sessionId }]),
    { type: "agent-day", agentId, day },
    { type: "day", day },
    { type: "month", month: day.slice(0, 7) },
  ];
}

function* raise(tenantId: string, scope: UsageScope, amounts: readonly number[]): Verb<void> {
  yield* change(
    `INSERT INTO usage_totals (tenant_id, scope, key, ${counted.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, scope, key) DO UPDATE SET
      ${counted.map((name) => `${name} = usage_totals.${name} + excluded.${name}`).join(", ")}`,
    [tenantId, scope.type, keyOf(scope), ...amounts],
  );
}

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

function* readTotals(tenantId: string, scope: UsageScope): Verb<UsageTotals> {
  const row = yield* first<StoredTotals>(
    `SELECT ${counted.join(", ")} FROM usage_totals WHERE tenant_id = ? AND scope = ? AND key = ?`,
    [tenantId, scope.type, keyOf(scope)],
  );
  return row ? toTotals(row) : noTotals();
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
    `SELECT ${groupings[query.by]} AS key, max(started_at) AS last_at, count(*) AS calls,
      sum(CASE WHEN outcome IN ('ok', 'aborted') THEN 0 ELSE 1 END) AS failures, sum(estimated) AS estimated,
      ${sums.map((name) => `sum(${name}) AS ${name}`).join(", ")}
    FROM usage_calls WHERE ${where} GROUP BY 1 ORDER BY sum(cost) DESC, sum(total) DESC, calls DESC, key LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows.map((row) => ({ ...toTotals(row), key: row.key, lastAt: row.last_at }));
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
      ${sums.join(", ")}, started_at, duration_ms, first_byte_ms
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
