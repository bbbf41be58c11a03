/** Changing or taking back a message before a turn has begun with it. */
import type { InboundContent, InboundMessage } from "@pincer/sdk";
import { change, first, type Verb } from "./database.ts";
import { findInbox, isUntaken } from "./inbox-row.ts";
import type { InboxStore } from "./message-stores.ts";
import type { Moment } from "./moment.ts";
import { closeTurn } from "./turn-row.ts";

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
  if (row.turn_id !== null) yield* dropIfEmpty(moment, row.turn_id);
  return true;
}

/** Of what came with the old words nothing stays. */
function withWords(content: InboundContent, words: Exclude<NewContent, "deleted">): InboundContent {
  if (content.type === "delete") return content;
  return { ...content, text: words.text, attachments: words.attachments };
}

function* dropIfEmpty(moment: Moment, turnId: string): Verb<void> {
  const { tenantId } = moment;
  const empty = yield* first(
    `SELECT id FROM turns WHERE tenant_id = ? AND id = ? AND state = 'queued' AND session_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.tenant_id = turns.tenant_id AND inbox.turn_id = turns.id)`,
    [tenantId, turnId],
  );
  if (empty) yield* closeTurn(moment, turnId, { state: "done", ending: { type: "dropped" } });
}
