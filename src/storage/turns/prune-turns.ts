/** Forgets turns that ended long ago. */
import { forgetQuestions } from "../approvals/approval-row.ts";
import { forgetPlan } from "../gate/plan-rows.ts";
import { all, change, type Verb } from "../sqlite/database.ts";
import { unfinishedMessage } from "../schema/message-schema.ts";
import { forgetTurnTotals } from "../usage/usage-store.ts";

/** Oldest first, so it looks at no more than it may delete: positions rise with the time. Dead ones wait for the owner. */
export function* pruneTurns(tenantId: string, before: string, limit: number): Verb<number> {
  const ended = yield* all<{ id: string; ended_at: string | null }>(
    `SELECT id, ended_at FROM turns WHERE tenant_id = ? AND state IN ('done', 'failed') ORDER BY position LIMIT ?`,
    [tenantId, Math.max(0, limit)],
  );
  const old = ended.filter(({ ended_at }) => ended_at !== null && ended_at < before);
  for (const { id } of old) yield* forget(tenantId, id);
  return old.length;
}

/** What is still to be sent, or found out about, goes its way without its turn. */
function* forget(tenantId: string, turnId: string): Verb<void> {
  const ofTurn = "WHERE tenant_id = ? AND turn_id = ?";
  for (const statement of [
    `DELETE FROM journal ${ofTurn}`,
    `DELETE FROM inbox ${ofTurn}`,
    `DELETE FROM outbox ${ofTurn} AND NOT ${unfinishedMessage}`,
    "DELETE FROM turns WHERE tenant_id = ? AND id = ?",
  ])
    yield* change(statement, [tenantId, turnId]);
  yield* forgetQuestions(tenantId, turnId);
  yield* forgetTurnTotals(tenantId, turnId);
  yield* forgetPlan(tenantId, turnId);
}
