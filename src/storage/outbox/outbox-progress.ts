/** The progress of one outbox message, attempt by attempt. */
import { change, first, type Verb } from "../sqlite/database.ts";
import { unfinishedMessage } from "../schema/message-schema.ts";
import type { NoticeDraft } from "./notice.ts";
import { interrupted, type OutboxDraft, type OutboxRow } from "./outbox.ts";
import type { Moment } from "../moment.ts";
import { addNotice } from "./notice-store.ts";
import { insertDrafts } from "./outbox-drafts.ts";
import { outboxColumns, toOutboxRow, type StoredError, type StoredOutbox } from "./outbox-row.ts";

interface SendFailure {
  code: string;
  message: string;
}

/** An edit of a shown message counts its attempts from zero. */
export function* beginSend(tenantId: string, id: string, repeated: boolean): Verb<OutboxRow | undefined> {
  const row = yield* first<StoredOutbox>(
    `UPDATE outbox SET attempts = CASE WHEN state = 'sent' THEN 1 ELSE attempts + 1 END, state = 'sending',
      next_at = NULL, repeated = CASE WHEN ? = 1 THEN 1 ELSE repeated END
    WHERE tenant_id = ? AND id = ? AND ${unfinishedMessage} RETURNING ${outboxColumns}`,
    [repeated ? 1 : 0, tenantId, id],
  );
  return row && toOutboxRow(row);
}

/** A message given up during an attempt stays given up, but what people saw is stored. */
export function* markSent(
  tenantId: string,
  id: string,
  sent: { messageId: string | null; version: number; shownLength: number; now: string },
): Verb<void> {
  yield* change(
    `UPDATE outbox SET state = CASE WHEN state IN ('failed', 'dropped') THEN state ELSE 'sent' END,
      message_id = coalesce(?, message_id), shown_version = ?, shown_length = ?, sent_at = ?, next_at = NULL,
      error_json = CASE WHEN state = 'failed' THEN error_json ELSE NULL END
    WHERE tenant_id = ? AND id = ?`,
    [sent.messageId, sent.version, sent.shownLength, sent.now, tenantId, id],
  );
}

export function* retryAt(
  tenantId: string,
  id: string,
  { nextAt, error, now }: { nextAt: string; error: SendFailure; now: string },
): Verb<void> {
  const stored: StoredError = { ...error, at: now };
  yield* change(
    `UPDATE outbox SET state = 'queued', next_at = ?, error_json = ?
    WHERE tenant_id = ? AND id = ? AND ${unfinishedMessage}`,
    [nextAt, JSON.stringify(stored), tenantId, id],
  );
}

export function* markUncertain(
  tenantId: string,
  id: string,
  error: SendFailure,
): Verb<OutboxRow | undefined> {
  const row = yield* first<StoredOutbox>(
    `UPDATE outbox SET unknowns = unknowns + CASE WHEN state = 'sending' THEN 1 ELSE 0 END, state = 'uncertain',
      error_json = ?
    WHERE tenant_id = ? AND id = ? AND state IN ('sending', 'uncertain') RETURNING ${outboxColumns}`,
    [JSON.stringify(error), tenantId, id],
  );
  return row && toOutboxRow(row);
}

/** Only once: an ended message is not given up again. */
export function* failSend(
  moment: Moment,
  id: string,
  work: { error: SendFailure; drafts: OutboxDraft[]; notice?: NoticeDraft },
): Verb<OutboxRow[]> {
  const failed = yield* first(
    `UPDATE outbox SET state = 'failed', is_open = 0, next_at = NULL, error_json = ?
    WHERE tenant_id = ? AND id = ? AND ${unfinishedMessage} RETURNING id`,
    [JSON.stringify(work.error), moment.tenantId, id],
  );
  if (!failed) return [];
  if (work.notice) yield* addNotice(moment, work.notice);
  return yield* insertDrafts(moment, work.drafts);
}

export function* recover(tenantId: string): Verb<number> {
  const rows = yield {
    sql: `UPDATE outbox SET state = 'uncertain', unknowns = unknowns + 1, error_json = ?
      WHERE tenant_id = ? AND state = 'sending' RETURNING id`,
    parameters: [JSON.stringify(interrupted), tenantId],
  };
  return rows.length;
}

/**
 * A message that may have arrived is not sent as if it had not: an open case continues its usual check; a given-up
 * one is sent as a marked repeat.
 */
export function* retryNow(tenantId: string, id: string, notAfter: string): Verb<OutboxRow | undefined> {
  const row = yield* first<StoredOutbox>(
    `UPDATE outbox SET state = CASE WHEN state = 'uncertain' THEN state ELSE 'queued' END,
      repeated = CASE WHEN state = 'failed' AND unknowns > 0 THEN 1 ELSE repeated END,
      unknowns = CASE state WHEN 'failed' THEN 0 WHEN 'uncertain' THEN 1 ELSE unknowns END,
      attempts = 0, next_at = NULL, not_after = ?
    WHERE tenant_id = ? AND id = ? AND state IN ('failed', 'uncertain', 'queued') RETURNING ${outboxColumns}`,
    [notAfter, tenantId, id],
  );
  return row && toOutboxRow(row);
}
