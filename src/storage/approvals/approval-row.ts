/** A question to the owner as a row, and what a turn needs of its questions. */
import type { GateReason } from "@pincer/sdk";
import type {
  ApprovalDraft,
  ApprovalRecord,
  ApprovalState,
  ApprovalSubject,
  GrantScope,
} from "./approvals.ts";
import { openQuestion } from "../schema/approval-schema.ts";
import { all, atMost, change, first, type Verb } from "../sqlite/database.ts";
import type { Moment } from "../moment.ts";
import { shortId } from "../short-id.ts";

export interface StoredApproval {
  id: string;
  turn_id: string;
  task_id: string;
  card: string | null;
  call_id: string;
  workspace_id: string;
  session_key: string;
  agent_id: string;
  person_id: string;
  subject_json: string;
  reason: string;
  reasons_json: string | null;
  rule: string;
  cause_json: string | null;
  scopes_json: string;
  keys_json: string;
  state: ApprovalState;
  scope: GrantScope | null;
  asked_at: string;
  expires_at: string;
  answered_at: string | null;
  answered_by: string | null;
}

export const approvalColumns = `id, turn_id, task_id, card, call_id, workspace_id, session_key, agent_id, person_id, subject_json,
  reason, reasons_json, rule, cause_json, scopes_json, keys_json, state, scope, asked_at, expires_at, answered_at, answered_by`;

export function toApproval(row: StoredApproval): ApprovalRecord {
  return {
    id: row.id,
    turnId: row.turn_id,
    ...(row.task_id !== row.turn_id && { taskId: row.task_id }),
    ...(row.card !== null && { card: row.card }),
    callId: row.call_id,
    workspaceId: row.workspace_id,
    sessionKey: row.session_key,
    agentId: row.agent_id,
    personId: row.person_id,
    subject: JSON.parse(row.subject_json) as ApprovalSubject,
    reason: row.reason,
    ...(row.reasons_json !== null && { reasons: JSON.parse(row.reasons_json) as GateReason[] }),
    rule: row.rule,
    ...(row.cause_json === null
      ? {}
      : { cause: JSON.parse(row.cause_json) as NonNullable<ApprovalDraft["cause"]> }),
    scopes: JSON.parse(row.scopes_json) as GrantScope[],
    keys: JSON.parse(row.keys_json) as ApprovalDraft["keys"],
    state: row.state,
    scope: row.scope,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    answeredAt: row.answered_at,
    answeredBy: row.answered_by,
  };
}

/** As one card where there are several. */
export function* insertApprovals(
  moment: Moment,
  drafts: readonly ApprovalDraft[],
  state: "pending" | "withdrawn",
): Verb<ApprovalRecord[]> {
  const id = yield* unusedId(moment);
  const card = drafts.length > 1 ? id : null;
  const asked: ApprovalRecord[] = [];
  for (const [index, draft] of drafts.entries())
    asked.push(yield* insertApproval(moment, draft, { id: card ? `${card}-${index + 1}` : id, card, state }));
  return asked;
}

/** The number of a question on its card. */
export const numberOn = ({ id, card }: Pick<ApprovalRecord, "id" | "card">): number =>
  card === undefined ? 1 : Number(id.slice(card.length + 1));

/** Of a question or of a card. */
function* unusedId({ tenantId, ids }: Moment): Verb<string> {
  for (let tries = 0; tries < 100; tries++) {
    const id = shortId(ids);
    const taken =
      (yield* first("SELECT id FROM approvals WHERE tenant_id = ? AND id = ?", [tenantId, id])) ??
      (yield* first(`SELECT id FROM approvals WHERE tenant_id = ? AND card = ? ${atMost}`, [
        tenantId,
        id,
        1,
      ]));
    if (!taken) return id;
  }
  throw new Error("every id that was made belongs to another question");
}

function* insertApproval(
  { tenantId, now }: Moment,
  draft: ApprovalDraft,
  { id, card, state }: { id: string; card: string | null; state: "pending" | "withdrawn" },
): Verb<ApprovalRecord> {
  const row = yield* first<StoredApproval>(
    `INSERT INTO approvals (tenant_id, position, id, turn_id, task_id, card, call_id, workspace_id, session_key, agent_id,
      person_id, digest, subject_json, reason, reasons_json, rule, cause_json, scopes_json, keys_json, state, asked_at,
      expires_at, answered_at)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM approvals WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING ${approvalColumns}`,
    [
      tenantId,
      tenantId,
      id,
      draft.turnId,
      draft.taskId ?? draft.turnId,
      card,
      draft.callId,
      draft.workspaceId,
      draft.sessionKey,
      draft.agentId,
      draft.personId,
      draft.subject.digest,
      JSON.stringify(draft.subject),
      draft.reason,
      draft.reasons ? JSON.stringify(draft.reasons) : null,
      draft.rule,
      draft.cause ? JSON.stringify(draft.cause) : null,
      JSON.stringify(draft.scopes),
      JSON.stringify(draft.keys),
      state,
      now,
      draft.expiresAt,
      state === "pending" ? null : now,
    ],
  );
  if (!row) throw new Error("an insert gave no row back");
  return toApproval(row);
}

/** Unanswered ones, in the order in which they were asked. */
export function* openQuestionsOf(tenantId: string, turnId: string): Verb<ApprovalRecord[]> {
  const rows = yield* all<StoredApproval>(
    `SELECT ${approvalColumns} FROM approvals WHERE tenant_id = ? AND turn_id = ? AND ${openQuestion} ORDER BY position`,
    [tenantId, turnId],
  );
  return rows.map(toApproval);
}

/** Withdraws a turn's open questions; returns how many there were. */
export function* withdrawQuestions({ tenantId, now }: Moment, turnId: string): Verb<number> {
  const rows = yield* all(
    `UPDATE approvals SET state = 'withdrawn', answered_at = ?
    WHERE tenant_id = ? AND turn_id = ? AND ${openQuestion} RETURNING id`,
    [now, tenantId, turnId],
  );
  return rows.length;
}

/**
 * Call this when the turn ends: withdraws its open questions and unused single approvals. Wider approvals were used
 * as grants. One query, since most turns ask nothing.
 */
export function* closeQuestions({ tenantId, now }: Moment, turnId: string): Verb<void> {
  yield* change(
    `UPDATE approvals SET answered_at = coalesce(answered_at, ?),
      state = CASE WHEN state = 'approved' AND scope <> 'once' THEN 'spent' ELSE 'withdrawn' END
    WHERE tenant_id = ? AND turn_id = ? AND state IN ('pending', 'approved')`,
    [now, tenantId, turnId],
  );
}

/** Deletes the questions of a turn that is being deleted, and the grants for it alone. */
export function* forgetQuestions(tenantId: string, turnId: string): Verb<void> {
  yield* change("DELETE FROM approvals WHERE tenant_id = ? AND turn_id = ?", [tenantId, turnId]);
  yield* change("DELETE FROM grants WHERE tenant_id = ? AND turn_id = ? AND turn_id <> ''", [
    tenantId,
    turnId,
  ]);
}
