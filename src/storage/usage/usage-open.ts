/**
 * Requests in progress: each has a row from before it is sent, so that one whose process was killed is not forgotten.
 * They count from then on, but enter the totals only when they have ended: there are few of them, and they are added
 * on reading.
 */
import { all, change, first, type Verb } from "../sqlite/database.ts";
import type { LeaseHolder } from "../stores.ts";
import {
  isSameScope,
  raise,
  readEnded,
  scopesOf,
  storedTotals,
  sums,
  toTotals,
  type CallOwner,
  type StoredTotals,
} from "./usage-totals.ts";
import type {
  OpenCall,
  UsageAmount,
  UsageJudge,
  UsageOpened,
  UsageOpening,
  UsageScope,
  UsageSettlement,
  UsageStanding,
  UsageTotals,
} from "./usage.ts";

const insertCall = `INSERT INTO usage_calls (tenant_id, position, turn_id, session_id, session_key, agent_id, provider, model, credential,
    outcome, estimated, unpriced, ${sums.join(", ")}, started_at, duration_ms)
  VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM usage_calls WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?,
    'open', ?, ?, ${sums.map(() => "?").join(", ")}, ?, 0) RETURNING position`;

const updateCall = `UPDATE usage_calls SET outcome = ?, estimated = ?, ${sums.map((name) => `${name} = ?`).join(", ")},
    duration_ms = ?, first_byte_ms = ? WHERE tenant_id = ? AND position = ? RETURNING unpriced`;

const selectOpen = `SELECT o.position, o.turn_id, o.session_id, o.agent_id, o.started_at, o.holder_json, o.room_tokens, o.room_cost,
    c.estimated, c.unpriced, ${sums.map((name) => `c.${name}`).join(", ")}
  FROM usage_open o JOIN usage_calls c ON c.tenant_id = o.tenant_id AND c.position = o.position
  WHERE o.tenant_id = ?`;

const deleteOpen = `DELETE FROM usage_open WHERE tenant_id = ? AND position = ?
  RETURNING turn_id, session_id, agent_id, started_at`;

export function* openCall<Refused>(
  tenantId: string,
  opening: UsageOpening,
  judge: UsageJudge<Refused>,
): Verb<UsageOpened<Refused>> {
  const verdict = judge.decide(yield* standings(tenantId, judge));
  if (!verdict.allowed) return { opened: false, refused: verdict.refused };
  const { turnId, sessionId, sessionKey, agentId, provider, model, credential, holder } = opening;
  const startedAt = new Date(opening.startedAt).toISOString();
  const amounts = amountsOf(opening);
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
    opening.isUnpriced ? 1 : 0,
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
  return { opened: true, position, room };
}

export function* settleCall(
  tenantId: string,
  position: number,
  { outcome, durationMs, firstByteMs, ...rest }: UsageSettlement,
): Verb<void> {
  const call = yield* close(tenantId, position);
  if (!call) return;
  const amounts = amountsOf(rest);
  const row = yield* first<{ unpriced: number }>(updateCall, [
    outcome,
    amounts.estimated,
    ...sums.map((name) => amounts[name]),
    Math.round(durationMs),
    firstByteMs === null ? null : Math.round(firstByteMs),
    tenantId,
    position,
  ]);
  if (!row) return;
  const failures = outcome === "ok" || outcome === "aborted" ? 0 : 1;
  yield* raise(tenantId, scopesOf(call), { ...amounts, calls: 1, failures, unpriced: row.unpriced });
}

export function* releaseCall(tenantId: string, position: number): Verb<void> {
  if (!(yield* close(tenantId, position))) return;
  yield* change("DELETE FROM usage_calls WHERE tenant_id = ? AND position = ?", [tenantId, position]);
}

export function* loseGone(tenantId: string, isGone: (call: OpenCall) => boolean): Verb<number> {
  const gone = (yield* readOpen(tenantId)).filter((call) => isGone(call));
  for (const { position, amounts } of gone) {
    const call = yield* close(tenantId, position);
    if (!call) continue;
    yield* change("UPDATE usage_calls SET outcome = 'lost' WHERE tenant_id = ? AND position = ?", [
      tenantId,
      position,
    ]);
    yield* raise(tenantId, scopesOf(call), { ...amounts, failures: 1 });
  }
  return gone.length;
}

/** With what is under way. */
export function* totalsOf(tenantId: string, scope: UsageScope): Verb<UsageTotals> {
  const totals = yield* readEnded(tenantId, scope);
  const open = within(scope, yield* readOpen(tenantId));
  return toTotals(open.reduce((sum, { amounts }) => plus(sum, amounts), totals));
}

/** For a ledger whose totals count what is under way already: it will be counted when it ends. */
export function* uncountOpen(): Verb<void> {
  for (const { tenant_id: tenantId } of yield* all<{ tenant_id: string }>(
    "SELECT DISTINCT tenant_id FROM usage_open",
  ))
    for (const call of yield* readOpen(tenantId)) yield* raise(tenantId, scopesOf(call), minus(call.amounts));
}

function* standings<Refused>(
  tenantId: string,
  { scopes, isGone }: UsageJudge<Refused>,
): Verb<UsageStanding[]> {
  const open = scopes.length === 0 ? [] : yield* readOpen(tenantId);
  const underWay = open.filter((call) => !isGone(call));
  const found: UsageStanding[] = [];
  for (const scope of scopes) {
    const ended = yield* readEnded(tenantId, scope);
    const begun = amountOf(within(scope, open));
    found.push({
      used: {
        calls: ended.calls + begun.calls,
        tokens: ended.total + begun.tokens,
        cost: ended.cost + begun.cost,
      },
      underWay: amountOf(within(scope, underWay)),
      rooms: roomsOf(within(scope, underWay)),
    });
  }
  return found;
}

const within = (scope: UsageScope, calls: readonly StoredOpen[]): StoredOpen[] =>
  calls.filter((call) => scopesOf(call).some((each) => isSameScope(each, scope)));

const amountOf = (calls: readonly StoredOpen[]): UsageAmount => ({
  calls: calls.length,
  tokens: calls.reduce((sum, { amounts }) => sum + amounts.total, 0),
  cost: calls.reduce((sum, { amounts }) => sum + amounts.cost, 0),
});

const roomsOf = (calls: readonly StoredOpen[]): UsageStanding["rooms"] => ({
  tokens: calls.reduce((sum, { room }) => sum + room.tokens, 0),
  cost: calls.reduce((sum, { room }) => sum + room.cost, 0),
});

interface StoredOpen extends OpenCall, CallOwner {
  position: number;
  room: UsageStanding["rooms"];
  /** As they would stand in the totals. */
  amounts: StoredTotals;
}

interface OwnerRow {
  turn_id: string | null;
  session_id: string | null;
  agent_id: string;
  started_at: string;
}

const toOwner = (row: OwnerRow): CallOwner => ({
  turnId: row.turn_id,
  sessionId: row.session_id,
  agentId: row.agent_id,
  startedAt: row.started_at,
});

function* readOpen(tenantId: string): Verb<StoredOpen[]> {
  const rows = yield* all<
    Omit<StoredTotals, "calls" | "failures"> &
      OwnerRow & { position: number; holder_json: string; room_tokens: number; room_cost: number }
  >(selectOpen, [tenantId]);
  return rows.map((row) => ({
    ...toOwner(row),
    position: row.position,
    holder: JSON.parse(row.holder_json) as LeaseHolder,
    room: { tokens: row.room_tokens, cost: row.room_cost },
    amounts: { ...row, calls: 1, failures: 0 },
  }));
}

/** Whose it was; undefined where it is not open. */
function* close(tenantId: string, position: number): Verb<CallOwner | undefined> {
  const row = yield* first<OwnerRow>(deleteOpen, [tenantId, position]);
  return row && toOwner(row);
}

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

const plus = (one: StoredTotals, other: StoredTotals): StoredTotals =>
  storedTotals((name) => one[name] + other[name]);

const minus = (amounts: StoredTotals): StoredTotals => storedTotals((name) => -amounts[name]);
