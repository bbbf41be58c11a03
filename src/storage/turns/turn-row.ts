/** A turn as its row in the database. */
import { conversationOf, type Destination, type Entry } from "@pincer/sdk";
import { closeQuestions } from "../approvals/approval-row.ts";
import { auditTurn } from "./audit-turn.ts";
import { change, first, type Verb } from "../sqlite/database.ts";
import { lostLease } from "../sessions/lease-store.ts";
import type { InboxState } from "../inbox/inbox.ts";
import type { TurnEndingRecord, TurnPerson, TurnRecord, TurnState } from "./turns.ts";
import type { Moment } from "../moment.ts";
import type { Fence, SessionOrigin } from "../stores.ts";
import { addStep } from "./turn-journal.ts";

export interface StoredTurn {
  id: string;
  position: number;
  state: TurnState;
  workspace_id: string;
  agent_id: string;
  session_key: string;
  session_id: string | null;
  first_seq: number | null;
  last_seq: number | null;
  origin_json: string;
  cwd: string;
  conversation: string;
  destination_json: string | null;
  reply_to: string | null;
  person_json: string;
  rule: string;
  options_json: string;
  direct: number;
  claims: number;
  fence_name: string | null;
  fencing: number | null;
  deadline_at: string | null;
  queued_at: string;
  started_at: string | null;
  ended_at: string | null;
  ending_json: string | null;
}

export const turnColumns = `id, position, state, workspace_id, agent_id, session_key, session_id, first_seq, last_seq,
  origin_json, cwd, conversation, destination_json, reply_to, person_json, rule, options_json, direct, claims, fence_name,
  fencing, deadline_at, queued_at, started_at, ended_at, ending_json`;

export function toTurnRecord(row: StoredTurn): TurnRecord {
  return {
    turnId: row.id,
    position: row.position,
    state: row.state,
    workspaceId: row.workspace_id,
    agentId: row.agent_id,
    sessionKey: row.session_key,
    sessionId: row.session_id,
    firstSeq: row.first_seq,
    origin: JSON.parse(row.origin_json) as SessionOrigin,
    cwd: row.cwd,
    destination: row.destination_json === null ? null : (JSON.parse(row.destination_json) as Destination),
    replyTo: row.reply_to,
    person: JSON.parse(row.person_json) as TurnPerson,
    rule: row.rule,
    options: JSON.parse(row.options_json) as Record<string, unknown>,
    direct: row.direct === 1,
    claims: row.claims,
    deadlineAt: row.deadline_at,
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    ending: row.ending_json === null ? null : (JSON.parse(row.ending_json) as TurnEndingRecord),
  };
}

/** What a new turn is made of. */
export type NewTurn = Pick<
  TurnRecord,
  | "workspaceId"
  | "agentId"
  | "sessionKey"
  | "origin"
  | "cwd"
  | "destination"
  | "replyTo"
  | "person"
  | "rule"
  | "options"
  | "direct"
>;

/** At the end of the queue, or at a position that is free. `inputs`: how many messages it is given at once; `id`: its own, where it has one already. */
export function* insertTurn(
  { tenantId, now, ids }: Moment,
  turn: NewTurn,
  { position = null, inputs = 0 }: { position?: number | null; inputs?: number },
): Verb<StoredTurn> {
  const id = ids.make("r");
  const conversation = turn.destination ? conversationOf(turn.destination) : "";
  const stored = {
    origin_json: JSON.stringify(turn.origin),
    destination_json: turn.destination && JSON.stringify(turn.destination),
    person_json: JSON.stringify(turn.person),
    options_json: JSON.stringify(turn.options),
  };
  const row = yield* first<{ position: number }>(
    `INSERT INTO turns (tenant_id, position, id, state, workspace_id, agent_id, session_key, origin_json, cwd, conversation,
      destination_json, reply_to, person_json, rule, options_json, direct, inputs, queued_at)
    VALUES (?, coalesce(?, (SELECT coalesce(max(position), 0) + 1 FROM turns WHERE tenant_id = ?)), ?, 'queued', ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING position`,
    [
      tenantId,
      position,
      tenantId,
      id,
      turn.workspaceId,
      turn.agentId,
      turn.sessionKey,
      stored.origin_json,
      turn.cwd,
      conversation,
      stored.destination_json,
      turn.replyTo,
      stored.person_json,
      turn.rule,
      stored.options_json,
      turn.direct ? 1 : 0,
      inputs,
      now,
    ],
  );
  if (!row) throw new Error("an insert gave no row back");
  return {
    ...notBegun,
    ...stored,
    id,
    position: row.position,
    workspace_id: turn.workspaceId,
    agent_id: turn.agentId,
    session_key: turn.sessionKey,
    cwd: turn.cwd,
    conversation,
    reply_to: turn.replyTo,
    rule: turn.rule,
    direct: turn.direct ? 1 : 0,
    queued_at: now,
  };
}

/** What the row of a new turn has beside what it is given: reading it back would cost more than inserting it. */
const notBegun = {
  state: "queued",
  session_id: null,
  first_seq: null,
  last_seq: null,
  claims: 0,
  fence_name: null,
  fencing: null,
  deadline_at: null,
  started_at: null,
  ended_at: null,
  ending_json: null,
} as const;

/** The place before these turns: each moves to that of the next, the last to the end. Null where there are none. */
export function* makeRoomBefore(tenantId: string, turns: readonly StoredTurn[]): Verb<number | null> {
  if (turns.length === 0) return null;
  const end = yield* first<{ position: number }>(
    "SELECT coalesce(max(position), 0) + 1 AS position FROM turns WHERE tenant_id = ?",
    [tenantId],
  );
  let free = end?.position ?? 1;
  for (const turn of turns.toReversed()) {
    yield* change("UPDATE turns SET position = ? WHERE tenant_id = ? AND id = ?", [free, tenantId, turn.id]);
    free = turn.position;
  }
  return free;
}

/** Once, not with each run: a text that was just put together has to be read through before it is found again. */
const selectTurn = `SELECT ${turnColumns} FROM turns WHERE tenant_id = ? AND id = ?`;

export function* findTurn(tenantId: string, turnId: string): Verb<StoredTurn | undefined> {
  return yield* first<StoredTurn>(selectTurn, [tenantId, turnId]);
}

export type RunningTurn = Pick<StoredTurn, "id"> & { session_id: string };

/** Throws `session/lost-lease` unless the turn runs under that fence and the fence still holds. */
export function* requireRunning(tenantId: string, turnId: string, fence: Fence): Verb<RunningTurn> {
  return yield* look<RunningTurn>(selectRunning, tenantId, turnId, fence);
}

/** The same, and whether messages came in for it that it has not taken up. */
export function* requireHearing(
  tenantId: string,
  turnId: string,
  fence: Fence,
): Verb<{ hasUntaken: boolean }> {
  const turn = yield* look<{ has_untaken: unknown }>(selectHearing, tenantId, turnId, fence);
  return { hasUntaken: Boolean(turn.has_untaken) };
}

/** What a turn leaves behind besides its entries; most leave nothing. */
export interface Leavings {
  /** Messages that it has not taken up. */
  hasUntaken: boolean;
  /** It asked its owner something. */
  hasAsked: boolean;
  /** What it says is growing on somebody's screen. */
  hasPreviews: boolean;
}

/** As `requireRunning`, with what has to be cleared away when it ends: one look instead of one for each. */
export function* requireEnding(tenantId: string, turnId: string, fence: Fence): Verb<RunningTurn & Leavings> {
  const { has_untaken, has_asked, has_previews, ...turn } = yield* look<
    RunningTurn & { has_untaken: unknown; has_asked: unknown; has_previews: unknown }
  >(selectEnding, tenantId, turnId, fence);
  return {
    ...turn,
    hasUntaken: Boolean(has_untaken),
    hasAsked: Boolean(has_asked),
    hasPreviews: Boolean(has_previews),
  };
}

const runningWith = (...columns: string[]) =>
  `SELECT ${["t.id", "t.session_id", ...columns].join(", ")}
    FROM turns t JOIN leases l ON l.tenant_id = t.tenant_id AND l.name = t.fence_name
    WHERE t.tenant_id = ? AND t.id = ? AND t.state = 'running' AND t.fence_name = ? AND t.fencing = ?
      AND l.fencing = t.fencing AND l.holder_json IS NOT NULL`;

const hasUntaken = `EXISTS (SELECT 1 FROM inbox i
      WHERE i.tenant_id = t.tenant_id AND i.turn_id = t.id AND i.state = 'queued' AND i.taken = 0) AS has_untaken`;
const hasAsked =
  "EXISTS (SELECT 1 FROM approvals a WHERE a.tenant_id = t.tenant_id AND a.turn_id = t.id) AS has_asked";
const hasPreviews = `EXISTS (SELECT 1 FROM outbox o
      WHERE o.tenant_id = t.tenant_id AND o.turn_id = t.id AND o.is_open = 1) AS has_previews`;

const selectRunning = runningWith();
const selectHearing = runningWith(hasUntaken);
const selectEnding = runningWith(hasUntaken, hasAsked, hasPreviews);

function* look<Found extends object>(
  sql: string,
  tenantId: string,
  turnId: string,
  fence: Fence,
): Verb<Found> {
  const turn = yield* first<Found & Pick<StoredTurn, "session_id">>(sql, [
    tenantId,
    turnId,
    fence.name,
    fence.fencing,
  ]);
  if (!turn) throw lostLease();
  if (turn.session_id === null) throw new Error("a running turn has no session");
  return turn;
}

/**
 * Writes how it ended, on the turn, in its journal and in the audit log, and takes back what it asked of the owner. The session's record
 * and the inputs are the caller's. Answers with all entries of the turn, too, where they had to be read for that.
 */
export function* closeTurn(
  moment: Moment,
  turnId: string,
  work: { state: TurnState; ending: TurnEndingRecord; lastSeq?: number } & Partial<
    Pick<Leavings, "hasAsked">
  >,
): Verb<{ turn: TurnRecord; entries: Entry[] | undefined }> {
  const { tenantId, now } = moment;
  const row = yield* first<StoredTurn>(
    `UPDATE turns SET state = ?, ending_json = ?, ended_at = ?, last_seq = coalesce(?, last_seq)
    WHERE tenant_id = ? AND id = ? RETURNING ${turnColumns}`,
    [work.state, JSON.stringify(work.ending), now, work.lastSeq ?? null, tenantId, turnId],
  );
  if (!row) throw new Error("a turn to be ended is gone");
  if (work.hasAsked !== false) yield* closeQuestions(moment, turnId);
  const turn = toTurnRecord(row);
  const entries = yield* auditTurn(moment, turn, work.lastSeq ?? null);
  yield* addStep(tenantId, turnId, { step: { type: "ended", ending: work.ending }, time: now });
  return { turn, entries };
}

export function* moveInputs(
  tenantId: string,
  turnId: string,
  { from, to, reason = null }: { from: InboxState; to: InboxState; reason?: string | null },
): Verb<void> {
  // Some indexes hold the rows of one state: with the state as a parameter the statement would be planned anew with every run.
  yield* change(
    `UPDATE inbox SET state = ?, reason = coalesce(?, reason) WHERE tenant_id = ? AND turn_id = ? AND state = '${from}'`,
    [to, reason, tenantId, turnId],
  );
}
