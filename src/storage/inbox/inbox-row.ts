/** A message that came in, as its row in the database. */
import { conversationOf, type InboundMessage } from "@pincer/sdk";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import type { InboxRow, InboxState } from "./inbox.ts";
import type { Moment } from "../moment.ts";

export interface StoredInbox {
  id: string;
  position: number;
  conversation: string;
  message_json: string;
  state: InboxState;
  reason: string | null;
  turn_id: string | null;
  taken: number;
  overheard: number;
  attempts: number;
  received_at: string;
}

export const inboxColumns = `id, position, conversation, message_json, state, reason, turn_id, taken, overheard, attempts,
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
    isOverheard: row.overheard === 1,
    attempts: row.attempts,
    receivedAt: row.received_at,
  };
}

/** Where a message goes with being stored. */
interface InboxPlace {
  turnId: string | null;
  /** Whether it is in the transcript of its turn, as it is where the turn begins with it at once. */
  isTaken?: boolean;
}

/** Stores a message, in the turn that is told where one is, or finds the one of that channel, account and id that is there already. */
export function* acceptInbox(
  moment: Moment,
  message: InboundMessage,
  place: InboxPlace = { turnId: null },
): Verb<{ type: "stored" | "duplicate"; row: InboxRow }> {
  const stored = yield* insertInbox(moment, message, place);
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
  { turnId, isTaken = false }: InboxPlace,
): Verb<InboxRow | undefined> {
  const { tenantId, now, ids } = moment;
  const { channel, accountId, peer, threadId } = message;
  const target = { peerKind: peer.kind, peerId: peer.id, ...(threadId === undefined ? {} : { threadId }) };
  const row = {
    id: ids.make("m"),
    conversation: conversationOf({ channel, accountId, target }),
    message_json: JSON.stringify(message),
    state: turnId === null ? ("new" as const) : ("queued" as const),
    turn_id: turnId,
    taken: isTaken ? 1 : 0,
  };
  const inserted = yield* first<Pick<StoredInbox, "position">>(
    `INSERT INTO inbox (tenant_id, position, id, channel, account_id, message_id, conversation, message_json, state, turn_id,
      taken, received_at)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM inbox WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
      row.state,
      row.turn_id,
      row.taken,
      now,
    ],
  );
  return inserted && toInboxRow({ ...untouched, ...row, position: inserted.position, received_at: now });
}

/** What the row of a new message has beside what it is given. */
const untouched = { reason: null, overheard: 0, attempts: 0 } as const;

/** It is in no transcript after all: its turn has not begun. */
export function* untakeInbox(tenantId: string, id: string): Verb<void> {
  yield* change("UPDATE inbox SET taken = 0 WHERE tenant_id = ? AND id = ?", [tenantId, id]);
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
