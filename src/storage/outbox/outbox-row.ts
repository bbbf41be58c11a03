/** An outgoing message as a row. */
import { conversationOf, type Attachment, type Destination, type MessageAction } from "@pincer/sdk";
import { first, type Verb } from "../sqlite/database.ts";
import type { OutboxDraft, OutboxRow, OutboxState } from "./outbox.ts";
import type { Moment } from "../moment.ts";

export interface StoredOutbox {
  id: string;
  position: number;
  conversation: string;
  destination_json: string;
  kind: OutboxDraft["kind"];
  turn_id: string | null;
  text: string;
  attachments_json: string;
  actions_json: string | null;
  reply_to: string | null;
  not_after: string;
  dedupe_key: string | null;
  state: OutboxState;
  attempts: number;
  next_at: string | null;
  unknowns: number;
  repeated: number;
  version: number;
  shown_version: number;
  shown_length: number;
  message_id: string | null;
  is_open: number;
  error_json: string | null;
  created_at: string;
  sent_at: string | null;
}

export const outboxColumns = `id, position, conversation, destination_json, kind, turn_id, text, attachments_json, actions_json, reply_to,
  not_after, dedupe_key, state, attempts, next_at, unknowns, repeated, version, shown_version, shown_length, message_id,
  is_open, error_json, created_at, sent_at`;

/** As it is stored: `at` is when the pause before the next attempt began. */
export type StoredError = { code: string; message: string; at?: string };

export function toOutboxRow(row: StoredOutbox): OutboxRow {
  const stored = row.error_json === null ? null : (JSON.parse(row.error_json) as StoredError);
  return {
    id: row.id,
    position: row.position,
    conversation: row.conversation,
    destination: JSON.parse(row.destination_json) as Destination,
    kind: row.kind,
    turnId: row.turn_id,
    text: row.text,
    attachments: JSON.parse(row.attachments_json) as Attachment[],
    ...(row.actions_json === null ? {} : { actions: JSON.parse(row.actions_json) as MessageAction[] }),
    replyTo: row.reply_to,
    notAfter: row.not_after,
    dedupeKey: row.dedupe_key,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    pausedAt: row.next_at === null ? null : (stored?.at ?? null),
    unknowns: row.unknowns,
    repeated: row.repeated === 1,
    version: row.version,
    shownVersion: row.shown_version,
    shownLength: row.shown_length,
    messageId: row.message_id,
    isOpen: row.is_open === 1,
    error: stored && { code: stored.code, message: stored.message },
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}

export function* insertOutbox(moment: Moment, draft: OutboxDraft, isOpen = false): Verb<OutboxRow> {
  const { tenantId, now, ids } = moment;
  const row = yield* first<StoredOutbox>(
    `INSERT INTO outbox (tenant_id, position, id, conversation, destination_json, kind, turn_id, text, attachments_json,
      actions_json, reply_to, not_after, dedupe_key, is_open, created_at)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM outbox WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING ${outboxColumns}`,
    [
      tenantId,
      tenantId,
      ids.make("o"),
      conversationOf(draft.destination),
      JSON.stringify(draft.destination),
      draft.kind,
      draft.turnId,
      draft.text,
      JSON.stringify(draft.attachments),
      draft.actions === undefined || draft.actions.length === 0 ? null : JSON.stringify(draft.actions),
      draft.replyTo,
      draft.notAfter,
      draft.dedupeKey,
      isOpen ? 1 : 0,
      now,
    ],
  );
  if (!row) throw new Error("an insert gave no row back");
  return toOutboxRow(row);
}

export function* getOutbox(tenantId: string, id: string): Verb<OutboxRow | undefined> {
  const row = yield* first<StoredOutbox>(
    `SELECT ${outboxColumns} FROM outbox WHERE tenant_id = ? AND id = ?`,
    [tenantId, id],
  );
  return row && toOutboxRow(row);
}
