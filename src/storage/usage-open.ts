/** Requests under way: a row from before they go out, so that one whose process was killed is not forgotten. */
import { all, change, first, type Verb } from "./database.ts";
import { readStored } from "./stored-json.ts";
import type { LeaseHolder } from "./stores.ts";
import {
  counted,
  isSameScope,
  raise,
  readTotals,
  scopesOf,
  sums,
  type StoredTotals,
} from "./usage-totals.ts";
import type {
  OpenCall,
  UsageJudge,
  UsageOpened,
  UsageOpening,
  UsageSettlement,
  UsageStanding,
} from "./usage.ts";

const insertCall = `INSERT INTO usage_calls (tenant_id, position, turn_id, session_id, session_key, agent_id, provider, model, credential,
    outcome, estimated, unpriced, ${sums.join(", ")}, started_at, duration_ms)
  VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM usage_calls WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?,
    'open', ?, ?, ${sums.map(() => "?").join(", ")}, ?, 0) RETURNING position`;

const updateCall = `UPDATE usage_calls SET outcome = ?, estimated = ?, ${sums.map((name) => `${name} = ?`).join(", ")},
    duration_ms = ?, first_byte_ms = ? WHERE tenant_id = ? AND position = ?`;

const selectOpen = `SELECT o.position, o.turn_id, o.session_id, o.agent_id, o.started_at, o.holder_json, o.room_tokens, o.room_cost,
    c.estimated, c.unpriced, ${sums.map((name) => `c.${name}`).join(", ")}
  FROM usage_open o JOIN usage_calls c ON c.tenant_id = o.tenant_id AND c.position = o.position
  WHERE o.tenant_id = ?`;

const selectOneOpen = `${selectOpen} AND o.position = ?`;

export function* openCall<Refused>(
  tenantId: string,
  opening: UsageOpening,
  judge: UsageJudge<Refused>,
): Verb<UsageOpened<Refused>> {
  const verdict = judge.decide(yield* standings(tenantId, judge));
  if (!verdict.allowed) return { opened: false, refused: verdict.refused };
  const { turnId, sessionId, sessionKey, agentId, provider, model, credential, holder } = opening;
  const startedAt = new Date(opening.startedAt).toISOString();
  const amounts = { ...amountsOf(opening), calls: 1, failures: 0, unpriced: opening.isUnpriced ? 1 : 0 };
  const row = yield* first<{ position: number }>(insertCall, [
    tenantId,
    tenantId,
    turnId,
    sessionId,
    sessionKey,
    agentId,
    provider,
    model,
    credential,
    amounts.estimated,
    amounts.unpriced,
    ...sums.map((name) => amounts[name]),
    startedAt,
  ]);
  if (!row) throw new Error("an inserted row came back as nothing");
  const { position } = row;
  const { room } = verdict;
  yield* change(
    `INSERT INTO usage_open (tenant_id, position, turn_id, session_id, agent_id, started_at, holder_json,
      room_tokens, room_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tenantId,
      position,
      turnId,
      sessionId,
      agentId,
      startedAt,
      JSON.stringify(holder),
      room.tokens,
      room.cost,
    ],
  );
  yield* raise(tenantId, scopesOf({ ...opening, startedAt }), amounts);
  return { opened: true, position, room };
}

export function* settleCall(
  tenantId: string,
  position: number,
  { outcome, durationMs, firstByteMs, ...rest }: UsageSettlement,
): Verb<void> {
  const call = yield* close(tenantId, position);
  if (!call) return;
  const amounts = { ...amountsOf(rest), calls: 0, unpriced: 0 };
  yield* change(updateCall, [
    outcome,
    amounts.estimated,
    ...sums.map((name) => amounts[name]),
    Math.round(durationMs),
    firstByteMs === null ? null : Math.round(firstByteMs),
    tenantId,
    position,
  ]);
  const failures = outcome === "ok" || outcome === "aborted" ? 0 : 1;
  yield* raiseAll(tenantId, call, less({ ...amounts, failures }, { ...call.amounts, calls: 0, unpriced: 0 }));
}

export function* releaseCall(tenantId: string, position: number): Verb<void> {
  const call = yield* close(tenantId, position);
  if (!call) return;
  yield* change("DELETE FROM usage_calls WHERE tenant_id = ? AND position = ?", [tenantId, position]);
  yield* raiseAll(tenantId, call, less(nothing, call.amounts));
}

export function* loseGone(tenantId: string, isGone: (call: OpenCall) => boolean): Verb<number> {
  const gone = (yield* readOpen(tenantId)).filter((call) => isGone(call));
  for (const { position } of gone) {
    const call = yield* close(tenantId, position);
    if (!call) continue;
    yield* change("UPDATE usage_calls SET outcome = 'lost' WHERE tenant_id = ? AND position = ?", [
      tenantId,
      position,
    ]);
    yield* raiseAll(tenantId, call, { ...nothing, failures: 1 });
  }
  return gone.length;
}

function* standings<Refused>(
  tenantId: string,
  { scopes, isGone }: UsageJudge<Refused>,
): Verb<UsageStanding[]> {
  const open = scopes.length === 0 ? [] : (yield* readOpen(tenantId)).filter((call) => !isGone(call));
  const found: UsageStanding[] = [];
  for (const scope of scopes) {
    const { calls, total, cost } = yield* readTotals(tenantId, scope);
    const within = open.filter((call) => scopesOf(call).some((each) => isSameScope(each, scope)));
    const sum = (amount: (call: StoredOpen) => number) =>
      within.reduce((soFar, call) => soFar + amount(call), 0);
    found.push({
      used: { calls, tokens: total, cost },
      underWay: {
        calls: within.length,
        tokens: sum(({ amounts }) => amounts.total),
        cost: sum(({ amounts }) => amounts.cost),
      },
      rooms: { tokens: sum(({ room }) => room.tokens), cost: sum(({ room }) => room.cost) },
    });
  }
  return found;
}

interface StoredOpen extends OpenCall {
  position: number;
  turnId: string | null;
  sessionId: string | null;
  agentId: string;
  room: UsageStanding["rooms"];
  /** As they stand in the totals. */
  amounts: StoredTotals;
}

function* readOpen(tenantId: string, position?: number): Verb<StoredOpen[]> {
  const rows = yield* all<
    Omit<StoredTotals, "calls" | "failures"> & {
      position: number;
      turn_id: string | null;
      session_id: string | null;
      agent_id: string;
      started_at: string;
      holder_json: string;
      room_tokens: number;
      room_cost: number;
    }
  >(
    position === undefined ? selectOpen : selectOneOpen,
    position === undefined ? [tenantId] : [tenantId, position],
  );
  return rows.map((row) => ({
    position: row.position,
    turnId: row.turn_id,
    sessionId: row.session_id,
    agentId: row.agent_id,
    startedAt: row.started_at,
    holder: readStored<LeaseHolder>(row.holder_json),
    room: { tokens: row.room_tokens, cost: row.room_cost },
    amounts: { ...row, calls: 1, failures: 0 },
  }));
}

function* close(tenantId: string, position: number): Verb<StoredOpen | undefined> {
  const [call] = yield* readOpen(tenantId, position);
  yield* change("DELETE FROM usage_open WHERE tenant_id = ? AND position = ?", [tenantId, position]);
  return call;
}

function* raiseAll(tenantId: string, call: StoredOpen, amounts: StoredTotals): Verb<void> {
  yield* raise(tenantId, scopesOf(call), amounts);
}

const nothing: StoredTotals = {
  calls: 0,
  failures: 0,
  estimated: 0,
  unpriced: 0,
  input: 0,
  output: 0,
  cache_read: 0,
  cache_write: 0,
  total: 0,
  cost: 0,
};

const amountsOf = ({
  usage,
}: Pick<UsageSettlement, "usage">): Omit<StoredTotals, "calls" | "failures" | "unpriced"> => ({
  estimated: usage.estimated === true ? 1 : 0,
  input: usage.input,
  output: usage.output,
  cache_read: usage.cacheRead,
  cache_write: usage.cacheWrite,
  total: usage.total,
  cost: usage.cost,
});

const less = (amounts: StoredTotals, taken: StoredTotals): StoredTotals => {
  const left = { ...nothing };
  for (const name of counted) left[name] = amounts[name] - taken[name];
  return left;
};
