/** Questions to the owner before a call runs. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { answerApproval, expireApprovals } from "./answer-approval.ts";
import {
  approvalColumns,
  insertApprovals,
  toApproval,
  withdrawQuestions,
  type StoredApproval,
} from "./approval-row.ts";
import { openQuestion } from "../schema/approval-schema.ts";
import type { ApprovalDraft, ApprovalRecord, ApprovalStore, AskOutcome, CardLimits } from "./approvals.ts";
import { insertAudit } from "../audit/audit-chain.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { all, atMost, change, first, type Database, type SqlValue, type Verb } from "../sqlite/database.ts";
import { grantsOf, listGrants, pruneGrants, revokeGrant } from "./grant-row.ts";
import { momentOf, type Moment } from "../moment.ts";
import { narrowed } from "../access/narrowed.ts";
import { typedId } from "../short-id.ts";
import { findTurn } from "../turns/turn-row.ts";

export function createApprovalStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): ApprovalStore {
  const { database, tenantId } = parts;
  const moment = () => momentOf(parts);
  const write = <Result>(sync: "now" | "always", verb: () => Verb<Result>) => database.write(verb, { sync });
  return {
    // A question or answer must be on disk before its finder continues.
    ask: (draft) => write("always", () => ask(moment(), draft)),
    askTogether: (drafts, limits) => write("always", () => askTogether(moment(), drafts, limits)),
    answer: (id, answer) => write("always", () => answerApproval(moment(), id, answer)),
    spend: (id) => write("now", () => spend(tenantId, id)),
    expire: (now, limit) => write("now", () => expireApprovals({ ...moment(), now }, limit)),
    withdraw: (turnId) => write("now", () => withdraw(moment(), turnId)),
    get: (id) => database.read(() => get(tenantId, id)),
    list: (query) => database.read(() => list(tenantId, query)),
    grants: (query) => database.read(() => grantsOf(moment(), query)),
    listGrants: ({ limit }) => database.read(() => listGrants(moment(), limit)),
    revokeGrant: (id, by) => write("now", () => revokeGrant(moment(), id, by)),
    prune: (before, limit) => write("now", () => prune(moment(), before, limit)),
  };
}

function* ask(moment: Moment, draft: ApprovalDraft): Verb<ApprovalRecord> {
  const [asked] = yield* askTogether(moment, [draft], { inTask: Infinity });
  if (asked?.type !== "asked") throw new Error("a question without limits was not asked");
  return asked.approval;
}

function* askTogether(
  moment: Moment,
  drafts: readonly ApprovalDraft[],
  limits: CardLimits,
): Verb<AskOutcome[]> {
  const outcomes: AskOutcome[] = [];
  const open: Array<{ at: number; draft: ApprovalDraft }> = [];
  for (const [at, draft] of drafts.entries()) {
    const known = yield* findAsked(moment, draft);
    if (known) outcomes[at] = { type: "asked", approval: known };
    else open.push({ at, draft });
  }
  const [first] = open;
  if (!first) return outcomes;
  const why = yield* limitReached(moment, first.draft, limits);
  // The turn may have ended meanwhile: then nothing would ever withdraw the questions.
  const turn = yield* findTurn(moment.tenantId, first.draft.turnId);
  const isOver = turn?.state === "done" || turn?.state === "failed" || turn?.state === "dead";
  const asked = why
    ? []
    : yield* insertApprovals(
        moment,
        open.map(({ draft }) => draft),
        isOver ? "withdrawn" : "pending",
      );
  for (const [index, { at }] of open.entries()) {
    const approval = asked[index];
    outcomes[at] = approval ? { type: "asked", approval } : { type: "not-asked", why: why ?? "cards-spent" };
    if (approval) yield* noteAsked(moment, approval);
  }
  return outcomes;
}

function* limitReached(
  { tenantId }: Moment,
  { turnId, taskId = turnId, workspaceId, sessionKey }: ApprovalDraft,
  { inTask, openInSession = Infinity }: CardLimits,
): Verb<"cards-spent" | "cards-open" | undefined> {
  const cards = (where: string, parameters: SqlValue[]) =>
    first<{ count: number }>(
      `SELECT count(DISTINCT coalesce(card, id)) AS count FROM approvals WHERE tenant_id = ? AND ${where}`,
      [tenantId, ...parameters],
    );
  if (inTask !== Infinity) {
    const asked = yield* cards("task_id = ? AND state <> 'withdrawn'", [taskId]);
    if ((asked?.count ?? 0) >= inTask) return "cards-spent";
  }
  if (openInSession === Infinity) return undefined;
  const open = yield* cards(`session_key = ? AND workspace_id = ? AND ${openQuestion}`, [
    sessionKey,
    workspaceId,
  ]);
  return (open?.count ?? 0) >= openInSession ? "cards-open" : undefined;
}

/** The question about the same call and digest; an open one with another digest is withdrawn. */
function* findAsked(moment: Moment, draft: ApprovalDraft): Verb<ApprovalRecord | undefined> {
  const { tenantId, now } = moment;
  const { turnId, callId, subject } = draft;
  const same = yield* first<StoredApproval>(
    `SELECT ${approvalColumns} FROM approvals
    WHERE tenant_id = ? AND turn_id = ? AND call_id = ? AND digest = ? AND state <> 'withdrawn' ORDER BY position DESC LIMIT 1`,
    [tenantId, turnId, callId, subject.digest],
  );
  if (same) return toApproval(same);
  // The call has changed: nobody may approve what will not be done.
  yield* change(
    `UPDATE approvals SET state = 'withdrawn', answered_at = ?
    WHERE tenant_id = ? AND turn_id = ? AND call_id = ? AND ${openQuestion}`,
    [now, tenantId, turnId, callId],
  );
  return undefined;
}

function* noteAsked(moment: Moment, asked: ApprovalRecord): Verb<void> {
  const { now, ids, seal } = moment;
  const { id, turnId, callId, subject, agentId, sessionKey } = asked;
  const { tool, digest } = subject;
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor: `agent:${agentId}`,
    action: "approval-ask",
    resourceType: "approval",
    resourceId: id,
    sessionKey,
    runId: turnId,
    metadata: { tool, callId, digest: seal?.text(digest) ?? digest },
    createdAt: now,
  });
}

function* spend(tenantId: string, id: string): Verb<boolean> {
  const row = yield* first(
    "UPDATE approvals SET state = 'spent' WHERE tenant_id = ? AND id = ? AND state = 'approved' RETURNING id",
    [tenantId, typedId(id)],
  );
  return row !== undefined;
}

/** A waiting turn keeps its questions: without any it would wait for ever. */
function* withdraw(moment: Moment, turnId: string): Verb<number> {
  const turn = yield* findTurn(moment.tenantId, turnId);
  return turn?.state === "waiting" ? 0 : yield* withdrawQuestions(moment, turnId);
}

function* get(tenantId: string, id: string): Verb<ApprovalRecord | undefined> {
  const row = yield* first<StoredApproval>(
    `SELECT ${approvalColumns} FROM approvals WHERE tenant_id = ? AND id = ?`,
    [tenantId, typedId(id)],
  );
  return row && toApproval(row);
}

function* list(
  tenantId: string,
  { limit, states, turnId, taskId, sessionKey, card }: Parameters<ApprovalStore["list"]>[0],
): Verb<ApprovalRecord[]> {
  const most = Math.max(0, limit);
  const of = { "turn_id =": turnId, "session_key =": sessionKey, "card =": card, "task_id =": taskId };
  if (states) return yield* select(tenantId, { ...of, state: states }, most);
  const pending = yield* select(tenantId, { ...of, "state =": "pending" }, most);
  const others = yield* select(tenantId, { ...of, "state <>": "pending" }, most - pending.length);
  return [...pending, ...others];
}

function* select(
  tenantId: string,
  wishes: Record<string, SqlValue | SqlValue[] | undefined>,
  limit: number,
): Verb<ApprovalRecord[]> {
  const { where, parameters } = narrowed(tenantId, wishes);
  const rows = yield* all<StoredApproval>(
    `SELECT ${approvalColumns} FROM approvals WHERE ${where} ORDER BY position DESC ${atMost}`,
    [...parameters, limit],
  );
  return rows.map(toApproval);
}

/** Answers of an unfinished turn stay, or it would ask again. */
function* prune(moment: Moment, before: string, limit: number): Verb<number> {
  const { tenantId } = moment;
  const rows = yield* all(
    `DELETE FROM approvals WHERE tenant_id = ? AND position IN (
      SELECT position FROM approvals AS old WHERE tenant_id = ? AND answered_at IS NOT NULL AND answered_at < ?
        AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.tenant_id = old.tenant_id AND turns.id = old.turn_id
          AND turns.state IN ('queued', 'running', 'waiting'))
      ORDER BY answered_at ${atMost}) RETURNING id`,
    [tenantId, tenantId, before, Math.max(0, limit)],
  );
  return rows.length + (yield* pruneGrants(moment, limit - rows.length));
}
