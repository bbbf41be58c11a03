/** A message that came in, as its row in the database. */
import { conversationOf, type InboundMessage } from "@pincer/sdk";
import { all, first, type Verb } from "./database.ts";
import type { InboxRow, InboxState } from "./message-stores.ts";
import type { Moment } from "./moment.ts";

export interface StoredInbox {
  id: string;
  position: number;
  conversation: string;
  message_json: string;
  state: InboxState;
  reason: string | null;
  turn_id: string | null;
  taken: number;
  attempts: number;
  received_at: string;
}

export const inboxColumns = `id, position, conversation, message_json, state, reason, turn_id, taken, attempts,
  received_at`;

export function toInboxRow(row: StoredInbox): InboxRow {
  return {
    id: row.id,
    position: row.position,
    conversation: row.conversation,
    message: JSON.parse(row.message_json) as InboundMessage,
    state: row.state,
    reason: row.reason,
    turnId: row.turn_id,
    attempts: row.attempts,
    receivedAt: row.received_at,
  };
}

/** Undefined when a message of that channel, account and id is there already. */
export function* insertInbox(moment: Moment, message: InboundMessage): Verb<InboxRow | undefined> {
  const { tenantId, now, ids } = moment;
  const { channel, accountId, peer, threadId } = message;
  const target = { peerKind: peer.kind, peerId: peer.id, ...(threadId === undefined ? {} : { threadId }) };
  const row = yield* first<StoredInbox>(
    `INSERT INTO inbox (tenant_id, position, id, channel, account_id, message_id, conversation, message_json, received_at)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM inbox WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, channel, account_id, message_id) DO NOTHING
    RETURNING ${inboxColumns}`,
    [
      tenantId,
      tenantId,
      ids.make("m"),
      channel,
      accountId,
      message.message.id,
      conversationOf({ channel, accountId, target }),
      JSON.stringify(message),
      now,
    ],
  );
  return row && toInboxRow(row);
}

export function* findInbox(tenantId: string, id: string): Verb<StoredInbox | undefined> {
  return yield* first<StoredInbox>(`SELECT ${inboxColumns} FROM inbox WHERE tenant_id = ? AND id = ?`, [
    tenantId,
    id,
  ]);
}

/** In order of arrival. */
export function* inboxOfTurn(tenantId: string, turnId: string): Verb<StoredInbox[]> {
  return yield* all<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox WHERE tenant_id = ? AND turn_id = ? ORDER BY position`,
    [tenantId, turnId],
  );
}

/** Those of the turn that are not in the transcript yet. */
export const isUntaken = (row: StoredInbox): boolean => row.state === "queued" && row.taken === 0;
