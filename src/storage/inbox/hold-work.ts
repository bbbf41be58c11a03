/**
 * Holds what a home would do again: after a restore, or when the record of what was done is damaged. Turns and messages become dead letters,
 * replies that were to be sent count as failed; the owner runs or drops each of them.
 */
import type { NoticeDraft } from "../outbox/notice.ts";
import { addNotice } from "../outbox/notice-store.ts";
import { unfinishedMessage } from "../schema/message-schema.ts";
import { all, type Verb } from "../sqlite/database.ts";
import { closeTurn, moveInputs } from "../turns/turn-row.ts";
import type { Moment } from "../moment.ts";
import type { HeldWork, HoldWork } from "./backlogs.ts";

export function* holdWork(moment: Moment, { which, since, notice }: HoldWork): Verb<HeldWork> {
  const { tenantId } = moment;
  const begun = which === "begun" ? "AND (state <> 'queued' OR claims > 0)" : "";
  const turns = yield* all<{ id: string }>(
    `SELECT id FROM turns WHERE tenant_id = ? AND state IN ('queued', 'running', 'waiting') ${begun}`,
    [tenantId],
  );
  for (const { id } of turns) {
    yield* closeTurn(moment, id, { state: "dead", ending: { type: "held", since } });
    yield* moveInputs(tenantId, id, { from: "queued", to: "dead", reason: "held" });
  }
  const messages = which === "begun" ? [] : yield* holdMessages(tenantId);
  const sends = which === "begun" ? [] : yield* holdSends(tenantId, since);
  const held = { turns: turns.length + messages.length, sends: sends.length };
  if (held.turns + held.sends > 0) yield* addNotice(moment, noticeOf(held, notice, since));
  return held;
}

const holdMessages = (tenantId: string) =>
  all("UPDATE inbox SET state = 'dead', reason = 'held' WHERE tenant_id = ? AND state = 'new' RETURNING id", [
    tenantId,
  ]);

const holdSends = (tenantId: string, since: string) =>
  all(
    `UPDATE outbox SET state = 'failed', is_open = 0, next_at = NULL, error_json = ?
    WHERE tenant_id = ? AND ${unfinishedMessage} RETURNING id`,
    [JSON.stringify({ code: "held", message: `held since the state of ${since} came back` }), tenantId],
  );

const noticeOf = ({ turns, sends }: HeldWork, key: HoldWork["notice"], since: string): NoticeDraft => ({
  kind: "held",
  subject: `held:${since}`,
  text: { key, parameters: { turns, sends, since: since.slice(0, 16).replace("T", " ") } },
});
