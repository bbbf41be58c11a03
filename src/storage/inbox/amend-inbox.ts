/** Changing or taking back a message before a turn has begun with it. */
import { wholeOf, type InboundContent, type InboundMessage } from "@pincer/sdk";
import { change, first, type Verb } from "../sqlite/database.ts";
import { findInbox, inboxOfTurn, isUntaken, returnContext } from "./inbox-row.ts";
import type { InboxStore } from "./inbox.ts";
import type { Moment } from "../moment.ts";
import { closeTurn, type StoredTurn } from "../turns/turn-row.ts";

type NewContent = Parameters<InboxStore["amend"]>[1];

/** False when a turn has it already, or when it is over. A queued turn that has nothing left to answer ends as dropped. */
export function* amendInbox(moment: Moment, id: string, content: NewContent): Verb<boolean> {
  const { tenantId } = moment;
  const row = yield* findInbox(tenantId, id);
  if (!row || !(row.state === "new" || row.state === "context" || isUntaken(row))) return false;

  const message = JSON.parse(row.message_json) as InboundMessage;
  const deleted = content === "deleted";
  const words = deleted ? { text: "", attachments: [] } : content;
  const amended = { ...message, message: withWords(message.message, words) };
  yield* change("UPDATE inbox SET message_json = ? WHERE tenant_id = ? AND id = ?", [
    JSON.stringify(amended),
    tenantId,
    id,
  ]);
  if (!deleted) return true;

  yield* change(
    "UPDATE inbox SET state = 'done', reason = 'deleted', turn_id = NULL WHERE tenant_id = ? AND id = ?",
    [tenantId, id],
  );
  if (row.turn_id !== null) yield* takeOut(moment, row.turn_id);
  return true;
}

/** Of what came with the old words nothing stays. */
function withWords(content: InboundContent, words: Exclude<NewContent, "deleted">): InboundContent {
  if (content.type === "delete") return content;
  const { text, attachments } = words;
  if (content.type === "edit" || content.pasted === undefined) return { ...content, text, attachments };
  // Whoever changed it did not say what of it was pasted.
  return { ...content, text, attachments, pasted: content.pasted.length > 0 ? wholeOf(text) : [] };
}

/** Where nobody has said anything to it any more, a turn that has not begun ends, and what a group said is context again. */
function* takeOut(moment: Moment, turnId: string): Verb<void> {
  const { tenantId } = moment;
  const turn = yield* first<Pick<StoredTurn, "state" | "session_id">>(
    "UPDATE turns SET inputs = inputs - 1 WHERE tenant_id = ? AND id = ? RETURNING state, session_id",
    [tenantId, turnId],
  );
  const left = yield* inboxOfTurn(tenantId, turnId);
  if (left.some((row) => isUntaken(row) && row.overheard === 0)) return;
  yield* returnContext(tenantId, turnId);
  if (turn?.state === "queued" && turn.session_id === null)
    yield* closeTurn(moment, turnId, { state: "done", ending: { type: "dropped" } });
}
