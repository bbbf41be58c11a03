/** What the message tables hold of a session that is being deleted. */
import { all, change, type Verb } from "./database.ts";

/**
 * Deletes its finished and its dead turns with their journals, what came in for them and what went out. A turn that is still open
 * stays: it begins anew, in another session.
 */
export function* forgetMessages(tenantId: string, sessionId: string): Verb<void> {
  const turns = yield* all<{ id: string }>(
    "DELETE FROM turns WHERE tenant_id = ? AND session_id = ? AND state IN ('done', 'failed', 'dead') RETURNING id",
    [tenantId, sessionId],
  );
  for (const { id } of turns)
    for (const table of ["journal", "inbox", "outbox"])
      yield* change(`DELETE FROM ${table} WHERE tenant_id = ? AND turn_id = ?`, [tenantId, id]);
}
