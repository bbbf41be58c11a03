/** Settles a question to the owner by an answer or a timeout. Its turn resumes when no question is left. */
import {
  approvalColumns,
  numberOn,
  openQuestionsOf,
  toApproval,
  type StoredApproval,
} from "./approval-row.ts";
import { openQuestion } from "../schema/approval-schema.ts";
import {
  whileMinutes,
  type AnswerOutcome,
  type ApprovalAnswer,
  type ApprovalRecord,
  type ApprovalStore,
  type Grant,
  type GrantScope,
} from "./approvals.ts";
import { insertAudit } from "../audit/audit-chain.ts";
import { all, atMost, first, type Verb } from "../sqlite/database.ts";
import { addGrant, type GrantDraft } from "./grant-row.ts";
import type { Moment } from "../moment.ts";
import { typedId } from "../short-id.ts";
import { toTurnRecord, turnColumns, type StoredTurn } from "../turns/turn-row.ts";
import type { TurnRecord } from "../turns/turns.ts";

export function* answerApproval(moment: Moment, id: string, answer: ApprovalAnswer): Verb<AnswerOutcome> {
  const { tenantId, now } = moment;
  const found = yield* findOnCard(tenantId, typedId(id));
  const [one] = found;
  if (!one) return { type: "none" };
  // Expired, even if that is not stored yet.
  const open = found.filter(({ state, expiresAt }) => state === "pending" && expiresAt > now);
  if (open.length === 0)
    return { type: "settled", approval: one.state === "pending" ? { ...one, state: "expired" } : one };

  const { verdict, by, scope, only } = answer;
  const number = only?.find((each) => !open.some((approval) => numberOn(approval) === each));
  if (number !== undefined) return { type: "no-number", approval: one, number };
  const isYes = (approval: ApprovalRecord) =>
    verdict === "approved" && (only?.includes(numberOn(approval)) ?? true);
  const grants = new Map<string, GrantDraft>();
  for (const approval of open.filter(isYes)) {
    const grant = scope === "once" ? undefined : grantOf(moment, approval, scope, by);
    if (scope !== "once" && !grant) return { type: "no-scope", approval };
    if (grant) grants.set(approval.id, grant);
  }
  const settled: ApprovalRecord[] = [];
  for (const approval of open)
    settled.push(
      yield* settle(
        moment,
        approval.id,
        isYes(approval) ? { state: "approved", scope, by } : { state: "denied", scope: null, by },
      ),
    );
  // When all of the card is settled: a wide yes does not answer what this answer denied.
  for (const approval of settled) {
    const grant = grants.get(approval.id);
    if (!grant) continue;
    yield* addGrant(moment, grant);
    yield* answerAlike(moment, approval, grant);
  }
  const [first = one] = settled;
  return {
    type: "answered",
    approval: first,
    approvals: settled,
    turn: yield* wakeTurn(tenantId, first.turnId),
  };
}

/** One by its own id, or all of a card in its order. */
function* findOnCard(tenantId: string, id: string): Verb<ApprovalRecord[]> {
  const rows = yield* all<StoredApproval>(
    `SELECT ${approvalColumns} FROM approvals WHERE tenant_id = ? AND id = ?`,
    [tenantId, id],
  );
  if (rows.length > 0) return rows.map(toApproval);
  const onCard = yield* all<StoredApproval>(
    `SELECT ${approvalColumns} FROM approvals WHERE tenant_id = ? AND card = ? ORDER BY position`,
    [tenantId, id],
  );
  return onCard.map(toApproval);
}

/** The oldest first. */
export function* expireApprovals(
  moment: Moment,
  limit: number,
): Verb<Awaited<ReturnType<ApprovalStore["expire"]>>> {
  const { tenantId, now } = moment;
  const due = yield* all<{ id: string }>(
    `SELECT id FROM approvals WHERE tenant_id = ? AND ${openQuestion} AND expires_at <= ? ORDER BY expires_at ${atMost}`,
    [tenantId, now, Math.max(0, limit)],
  );
  const approvals: ApprovalRecord[] = [];
  for (const { id } of due)
    approvals.push(yield* settle(moment, id, { state: "expired", scope: null, by: "time" }));
  const turns: TurnRecord[] = [];
  for (const turnId of new Set(approvals.map((approval) => approval.turnId))) {
    const turn = yield* wakeTurn(tenantId, turnId);
    if (turn) turns.push(turn);
  }
  return { approvals, turns };
}

/** Undefined if this scope was not offered. */
function grantOf(
  { now }: Moment,
  { scopes, keys, subject, agentId, turnId, taskId = turnId, sessionKey }: ApprovalRecord,
  scope: Grant["scope"],
  grantedBy: string,
): GrantDraft | undefined {
  const key = keys[scope];
  if (key === undefined || !scopes.includes(scope)) return undefined;
  return {
    scope,
    tool: subject.tool,
    agentId,
    key,
    // A grant that outlives the turn contains nothing of its conversation.
    shown: scope === "task" ? subject.shown : key,
    turnId: scope === "task" ? taskId : null,
    ...(scope === "while" && { sessionKey }),
    grantedBy,
    expiresAt: scope === "while" ? new Date(Date.parse(now) + whileMinutes * 60_000).toISOString() : null,
  };
}

/** Answers other questions of the turn that the same yes covers. */
function* answerAlike(moment: Moment, { turnId }: ApprovalRecord, grant: GrantDraft): Verb<void> {
  const { scope, tool, key, grantedBy: by } = grant;
  for (const other of yield* openQuestionsOf(moment.tenantId, turnId)) {
    const isAlike = other.subject.tool === tool && other.scopes.includes(scope) && other.keys[scope] === key;
    if (isAlike && other.expiresAt > moment.now)
      yield* settle(moment, other.id, { state: "approved", scope, by });
  }
}

interface Settlement {
  state: "approved" | "denied" | "expired";
  scope: GrantScope | null;
  by: string;
}

const actions = {
  approved: "approval-approve",
  denied: "approval-deny",
  expired: "approval-expire",
} as const;

/** Audit records are permanent: they contain a digest of the question, never its words. */
function* settle(moment: Moment, id: string, { state, scope, by }: Settlement): Verb<ApprovalRecord> {
  const { tenantId, now, ids } = moment;
  const row = yield* first<StoredApproval>(
    `UPDATE approvals SET state = ?, scope = ?, answered_at = ?, answered_by = ? WHERE tenant_id = ? AND id = ?
    RETURNING ${approvalColumns}`,
    [state, scope, now, by, tenantId, id],
  );
  if (!row) throw new Error("a question that is being settled is gone");
  const approval = toApproval(row);
  const { subject, agentId, turnId } = approval;
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor: by,
    action: actions[state],
    resourceType: "approval",
    resourceId: id,
    sessionKey: approval.sessionKey,
    runId: turnId,
    metadata: {
      tool: subject.tool,
      agentId,
      turnId,
      scope,
      digest: moment.seal?.text(subject.digest) ?? subject.digest,
    },
    createdAt: now,
  });
  return approval;
}

/**
 * Returns the turn to its place in the queue once it has no open question. Undefined if it was not waiting, or keeps
 * waiting.
 */
function* wakeTurn(tenantId: string, turnId: string): Verb<TurnRecord | undefined> {
  const row = yield* first<StoredTurn>(
    `UPDATE turns SET state = 'queued' WHERE tenant_id = ? AND id = ? AND state = 'waiting'
      AND NOT EXISTS (SELECT 1 FROM approvals WHERE approvals.tenant_id = ? AND approvals.turn_id = ?
        AND approvals.${openQuestion})
    RETURNING ${turnColumns}`,
    [tenantId, turnId, tenantId, turnId],
  );
  return row && toTurnRecord(row);
}
