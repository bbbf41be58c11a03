/** A message that came in, as its row in the database. */
import { conversationOf, type InboundMessage } from "@pincer/sdk";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import type { AskedMessage, InboxRow, InboxState } from "./inbox.ts";
import type { Moment } from "../moment.ts";

export interface StoredInbox {
  id: string;
  position: number;
  conversation: string;
  message_json: string;
  state: InboxState;
  reason: string | null;
  turn_id: string | null;
  asked_json: string | null;
  answer: string | null;
  taken: number;
  overheard: number;
  attempts: number;
  received_at: string;
}

export const inboxColumns = `id, position, conversation, message_json, state, reason, turn_id, asked_json, answer, taken, overheard,
  attempts, received_at`;

/** The digest of a question stands with its words: what else is known of it goes to its turn. */
type StoredMessage = InboundMessage & { digest?: string };

export function toInboxRow(row: StoredInbox): InboxRow {
  const { digest = null, ...message } = JSON.parse(row.message_json) as StoredMessage;
  return {
    id: row.id,
    position: row.position,
    conversation: row.conversation,
    message,
    state: row.state,
    reason: row.reason,
    turnId: row.turn_id,
    asked: row.asked_json === null ? null : (JSON.parse(row.asked_json) as AskedMessage),
    digest,
    answer: row.answer,
    isOverheard: row.overheard === 1,
    attempts: row.attempts,
    receivedAt: row.received_at,
  };
}

/** Stores a message, or finds the one of that channel, account and id that is there already. */
export function* acceptInbox(
  moment: Moment,
  message: InboundMessage,
  asked?: AskedMessage,
): Verb<{ type: "stored" | "duplicate"; row: InboxRow }> {
  const stored = yield* insertInbox(moment, message, asked);
  if (stored) return { type: "stored", row: stored };
  const { channel, accountId } = message;
  const row = yield* findMessage(moment.tenantId, [channel, accountId, message.message.id]);
  if (!row) throw new Error("a message is neither new nor there");
  return { type: "duplicate", row };
}

/** By the network's own id. */
export function* findMessage(
  tenantId: string,
  key: [channel: string, accountId: string, messageId: string],
): Verb<InboxRow | undefined> {
  const row = yield* first<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox
    WHERE tenant_id = ? AND channel = ? AND account_id = ? AND message_id = ?`,
    [tenantId, ...key],
  );
  return row && toInboxRow(row);
}

/** Undefined when a message of that channel, account and id is there already. */
function* insertInbox(
  moment: Moment,
  message: InboundMessage,
  asked: AskedMessage | undefined,
): Verb<InboxRow | undefined> {
  const { tenantId, now, ids } = moment;
  const { channel, accountId, peer, threadId } = message;
  const target = { peerKind: peer.kind, peerId: peer.id, ...(threadId === undefined ? {} : { threadId }) };
  const row = {
    id: ids.make("m"),
    conversation: conversationOf({ channel, accountId, target }),
    message_json: JSON.stringify({ ...message, digest: asked?.digest }),
    asked_json: asked ? JSON.stringify(asked) : null,
  };
  const inserted = yield* first<Pick<StoredInbox, "position">>(
    `INSERT INTO inbox (tenant_id, position, id, channel, account_id, message_id, conversation, message_json, asked_json,
      received_at)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM inbox WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, channel, account_id, message_id) DO NOTHING
    RETURNING position`,
    [
      tenantId,
      tenantId,
      row.id,
      channel,
      accountId,
      message.message.id,
      row.conversation,
      row.message_json,
      row.asked_json,
      now,
    ],
  );
  return inserted && toInboxRow({ ...untouched, ...row, position: inserted.position, received_at: now });
}

/** What the row of a new message has beside what it is given. */
const untouched = {
  state: "new",
  reason: null,
  turn_id: null,
  answer: null,
  taken: 0,
  overheard: 0,
  attempts: 0,
} as const;

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

/** What a group said among itself and no turn has taken up waits for the next turn of its conversation again. */
export function* returnContext(tenantId: string, turnId: string): Verb<void> {
  yield* change(
    `UPDATE inbox SET state = 'context', turn_id = NULL
    WHERE tenant_id = ? AND turn_id = ? AND state = 'queued' AND taken = 0 AND overheard = 1`,
    [tenantId, turnId],
  );
}

/** Whether it is not in the transcript of its turn yet. */
export const isUntaken = (row: StoredInbox): boolean => row.state === "queued" && row.taken === 0;

/** They are in the transcript of their turn from now on. In order of arrival. */
export function* takeInbox(tenantId: string, turnId: string, which: "all" | "untaken"): Verb<StoredInbox[]> {
  const rows = yield* all<StoredInbox>(which === "all" ? takeAll : takeUntaken, [tenantId, turnId]);
  return rows.sort((one, other) => one.position - other.position);
}

const takeAll = `UPDATE inbox SET taken = 1 WHERE tenant_id = ? AND turn_id = ? AND state = 'queued'
    RETURNING ${inboxColumns}`;
const takeUntaken = `UPDATE inbox SET taken = 1 WHERE tenant_id = ? AND turn_id = ? AND state = 'queued' AND taken = 0
    RETURNING ${inboxColumns}`;

/** Those of the turn, in order of arrival; there are none as a rule. */
export function* untakenOfTurn(tenantId: string, turnId: string): Verb<StoredInbox[]> {
  return yield* all<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox
    WHERE tenant_id = ? AND turn_id = ? AND state = 'queued' AND taken = 0 ORDER BY position`,
    [tenantId, turnId],
  );
}
