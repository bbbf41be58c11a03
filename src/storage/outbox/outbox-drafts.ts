/** Turns drafts into outbox rows: new ones, growing previews, and the reply that a preview becomes. */
import { conversationOf } from "@pincer/sdk";
import { change, first, type Verb } from "../sqlite/database.ts";
import type { OutboxDraft, OutboxRow } from "./outbox.ts";
import type { Moment } from "../moment.ts";
import { insertOutbox, outboxColumns, toOutboxRow, type StoredOutbox } from "./outbox-row.ts";

/** In order, without what the turn already said in the same conversation. */
export function* insertDrafts(moment: Moment, drafts: readonly OutboxDraft[]): Verb<OutboxRow[]> {
  const rows: OutboxRow[] = [];
  for (const draft of drafts) {
    if (yield* wasSaid(moment.tenantId, draft)) continue;
    rows.push(yield* insertOutbox(moment, draft));
  }
  return rows;
}

/** Creates or updates the open preview of the turn in that conversation. */
export function* growPreview(moment: Moment, draft: OutboxDraft & { turnId: string }): Verb<OutboxRow> {
  const open = yield* findPreview(moment.tenantId, draft.turnId, conversationOf(draft.destination));
  if (!open) return yield* insertOutbox(moment, draft, true);
  return yield* rewrite(moment.tenantId, open, { ...draft, dedupeKey: open.dedupe_key }, true);
}

/**
 * Stores the replies of an ended turn. Its open preview becomes the first reply to the same conversation, even if the
 * same was said elsewhere meanwhile: readers of the beginning see the rest. An unseen preview is dropped if its reply
 * was said before, and closed as it is if there is no reply.
 */
export function* insertReplies(
  moment: Moment,
  turnId: string,
  drafts: readonly OutboxDraft[],
  known: { hasPreviews?: boolean } = {},
): Verb<OutboxRow[]> {
  if (known.hasPreviews === false) return yield* insertDrafts(moment, drafts);
  const { tenantId } = moment;
  const rows: OutboxRow[] = [];
  for (const draft of drafts) {
    const preview = yield* findPreview(tenantId, turnId, conversationOf(draft.destination));
    const said = yield* wasSaid(tenantId, draft);
    if (preview && said && preview.attempts === 0) yield* dropPreview(tenantId, preview.id);
    else if (preview) rows.push(yield* rewrite(tenantId, preview, draft, false));
    else if (!said) rows.push(yield* insertOutbox(moment, draft));
  }
  yield* change("UPDATE outbox SET is_open = 0 WHERE tenant_id = ? AND turn_id = ? AND is_open = 1", [
    tenantId,
    turnId,
  ]);
  return rows;
}

/** Whether an equal message of the turn was sent or queued in that conversation. An open preview does not count. */
function* wasSaid(tenantId: string, draft: OutboxDraft): Verb<boolean> {
  if (draft.turnId === null || draft.dedupeKey === null) return false;
  const row = yield* first(
    `SELECT id FROM outbox WHERE tenant_id = ? AND turn_id = ? AND conversation = ? AND dedupe_key = ?
      AND is_open = 0 AND state NOT IN ('failed', 'dropped') LIMIT 1`,
    [tenantId, draft.turnId, conversationOf(draft.destination), draft.dedupeKey],
  );
  return row !== undefined;
}

function* findPreview(
  tenantId: string,
  turnId: string,
  conversation: string,
): Verb<StoredOutbox | undefined> {
  return yield* first<StoredOutbox>(
    `SELECT ${outboxColumns} FROM outbox
    WHERE tenant_id = ? AND turn_id = ? AND conversation = ? AND is_open = 1 ORDER BY position LIMIT 1`,
    [tenantId, turnId, conversation],
  );
}

/** The version rises only with visible changes: an equal message needs no edit. */
function* rewrite(tenantId: string, row: StoredOutbox, draft: OutboxDraft, isOpen: boolean): Verb<OutboxRow> {
  const attachments = JSON.stringify(draft.attachments);
  const actions = draft.actions?.length ? JSON.stringify(draft.actions) : null;
  const changed =
    row.text !== draft.text || row.attachments_json !== attachments || row.actions_json !== actions;
  const written = yield* first<StoredOutbox>(
    `UPDATE outbox SET text = ?, attachments_json = ?, actions_json = ?, kind = ?, not_after = ?, dedupe_key = ?, is_open = ?,
      version = version + ?
    WHERE tenant_id = ? AND position = ? RETURNING ${outboxColumns}`,
    [
      draft.text,
      attachments,
      actions,
      draft.kind,
      draft.notAfter,
      draft.dedupeKey,
      isOpen ? 1 : 0,
      changed ? 1 : 0,
      tenantId,
      row.position,
    ],
  );
  if (!written) throw new Error("an update gave no row back");
  return toOutboxRow(written);
}

function* dropPreview(tenantId: string, id: string): Verb<void> {
  yield* change("UPDATE outbox SET state = 'dropped', is_open = 0 WHERE tenant_id = ? AND id = ?", [
    tenantId,
    id,
  ]);
}
