/** What the message tables hold of a session that is being deleted. */
import type { InboundMessage } from "@pincer/sdk";
import { forgetQuestions } from "../approvals/approval-row.ts";
import { forgetPlan } from "../gate/plan-rows.ts";
import { all, change, type Verb } from "../sqlite/database.ts";
import type { AskedMessage } from "./inbox.ts";
import { forgetTurnTotals } from "../usage/usage-store.ts";

/**
 * Deletes its finished and its dead turns, and those that wait, with their journals, and every word that came in for them, went out and was
 * asked of the owner. What came in stays as a bare id, so that a network that delivers it again is not answered again; what has not gone out
 * never will. A turn that is still open stays: it begins anew, in another session.
 */
export function* forgetMessages(
  tenantId: string,
  { sessionId, sessionKey }: { sessionId: string; sessionKey: string },
): Verb<void> {
  const every = yield* all<{ id: string }>("SELECT id FROM turns WHERE tenant_id = ? AND session_id = ?", [
    tenantId,
    sessionId,
  ]);
  for (const { id } of every) yield* forgetQuestions(tenantId, id);
  const turns = yield* all<{ id: string }>(
    `DELETE FROM turns WHERE tenant_id = ? AND session_id = ? AND state IN ('done', 'failed', 'dead', 'waiting')
    RETURNING id`,
    [tenantId, sessionId],
  );
  for (const { id } of turns) {
    yield* change("DELETE FROM journal WHERE tenant_id = ? AND turn_id = ?", [tenantId, id]);
    yield* forgetInputs(tenantId, id);
    yield* forgetReplies(tenantId, id);
    yield* forgetTurnTotals(tenantId, id);
    yield* forgetPlan(tenantId, id);
  }
  yield* forgetCommands(tenantId, sessionKey);
}

/** Commands that were said in it have no turn; what they answered may quote it. */
function* forgetCommands(tenantId: string, sessionKey: string): Verb<void> {
  const rows = yield* all<InputKey & { asked_json: string }>(
    `SELECT position, channel, account_id, message_id, asked_json FROM inbox
    WHERE tenant_id = ? AND state = 'command' AND asked_json IS NOT NULL`,
    [tenantId],
  );
  for (const row of rows) {
    const { session: said } = JSON.parse(row.asked_json) as AskedMessage;
    if (said.sessionKey === sessionKey) yield* makeBare(tenantId, row);
  }
}

interface InputKey {
  position: number;
  channel: string;
  account_id: string;
  message_id: string;
}

function* forgetInputs(tenantId: string, turnId: string): Verb<void> {
  const rows = yield* all<InputKey>(
    "SELECT position, channel, account_id, message_id FROM inbox WHERE tenant_id = ? AND turn_id = ?",
    [tenantId, turnId],
  );
  for (const row of rows) yield* makeBare(tenantId, row);
}

function* makeBare(tenantId: string, row: InputKey): Verb<void> {
  yield* change(
    `UPDATE inbox SET message_json = ?, conversation = '', state = 'done', reason = 'forgotten', turn_id = NULL,
      asked_json = NULL, answer = NULL
    WHERE tenant_id = ? AND position = ?`,
    [JSON.stringify(bareMessage(tenantId, row)), tenantId, row.position],
  );
}

const bareMessage = (tenantId: string, { channel, account_id, message_id }: InputKey): InboundMessage => ({
  tenantId,
  workspaceId: "",
  channel,
  accountId: account_id,
  peer: { kind: "user", id: "" },
  sender: { id: "" },
  message: { type: "text", id: message_id, text: "", attachments: [], mentioned: false },
  timestamp: 0,
});

function* forgetReplies(tenantId: string, turnId: string): Verb<void> {
  const unsent = "state IN ('queued', 'sending', 'uncertain')";
  yield* change(`DELETE FROM outbox WHERE tenant_id = ? AND turn_id = ? AND NOT ${unsent}`, [
    tenantId,
    turnId,
  ]);
  yield* change(
    `UPDATE outbox SET state = 'dropped', text = '', attachments_json = '[]', actions_json = NULL, error_json = NULL, dedupe_key = NULL,
      is_open = 0, turn_id = NULL
    WHERE tenant_id = ? AND turn_id = ? AND ${unsent}`,
    [tenantId, turnId],
  );
}
