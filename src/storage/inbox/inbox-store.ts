/** What came in, stored before it is acknowledged. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { all, atMost, change, first, type Database, type Verb } from "../sqlite/database.ts";
import { amendInbox } from "./amend-inbox.ts";
import {
  acceptInbox,
  findInbox,
  findMessage,
  inboxColumns,
  toInboxRow,
  type StoredInbox,
} from "./inbox-row.ts";
import { deadMessage } from "../schema/message-schema.ts";
import type { InboxRow, InboxStore } from "./inbox.ts";
import type { OutboxDraft, OutboxRow } from "../outbox/outbox.ts";
import { momentOf, type Moment } from "../moment.ts";
import { insertDrafts } from "../outbox/outbox-drafts.ts";

export function createInboxStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
}): InboxStore {
  const { database, tenantId } = parts;
  return {
    accept(message, asked) {
      const moment = momentOf(parts);
      // A second delivery must not be acknowledged before the first one is on the disk.
      return database.write(() => acceptInbox(moment, message, asked), { sync: "always" });
    },
    async get(id) {
      const row = await database.read(() => findInbox(tenantId, id));
      return row && toInboxRow(row);
    },
    find: (channel, accountId, messageId) =>
      database.read(() => findMessage(tenantId, [channel, accountId, messageId])),
    listNew: (limit) => database.read(() => listNew(tenantId, limit)),
    settle(id, outcome, replies = []) {
      const moment = momentOf(parts);
      const sync = outcome.answer === undefined ? "later" : "now";
      return database.write(() => settle(moment, { id, outcome, replies }), { sync });
    },
    withdraw: (id) => database.write(() => withdraw(tenantId, id), { sync: "now" }),
    settleAbandoned: (before) => database.write(() => settleAbandoned(tenantId, before), { sync: "later" }),
    countAttempt: (id) => database.write(() => countAttempt(tenantId, id), { sync: "later" }),
    context: (conversation, keep) =>
      database.write(() => trimContext(tenantId, conversation, keep), {
        sync: "later",
        unless: () => readContext(tenantId, conversation, keep),
      }),
    amend(id, content) {
      const moment = momentOf(parts);
      return database.write(() => amendInbox(moment, id, content), { sync: "now" });
    },
    listDead: (query) => database.read(() => listDead(tenantId, query)),
    revive: (id) => database.write(() => revive(tenantId, id), { sync: "now" }),
    reviveRefused: (conversation, limit) =>
      database.write(() => reviveRefused(tenantId, conversation, limit), { sync: "now" }),
    dropDead: (id) => database.write(() => dropDead(tenantId, id), { sync: "now" }),
    prune: (before, limit) => database.write(() => prune(tenantId, before, limit), { sync: "now" }),
  };
}

function* listNew(tenantId: string, limit: number): Verb<InboxRow[]> {
  const rows = yield* all<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox WHERE tenant_id = ? AND state = 'new' ORDER BY position ${atMost}`,
    [tenantId, Math.max(0, limit)],
  );
  return rows.map(toInboxRow);
}

function* settle(
  moment: Moment,
  work: { id: string; outcome: Parameters<InboxStore["settle"]>[1]; replies: OutboxDraft[] },
): Verb<OutboxRow[]> {
  const { state, reason, answer = null } = work.outcome;
  const settled = yield* first(
    `UPDATE inbox SET state = ?, reason = ?, answer = ?, overheard = ?
    WHERE tenant_id = ? AND id = ? AND state = 'new' RETURNING id`,
    [state, reason, answer, state === "context" ? 1 : 0, moment.tenantId, work.id],
  );
  return settled ? yield* insertDrafts(moment, work.replies) : [];
}

function* withdraw(tenantId: string, id: string): Verb<void> {
  yield* change("DELETE FROM inbox WHERE tenant_id = ? AND id = ? AND state = 'new'", [tenantId, id]);
}

function* settleAbandoned(tenantId: string, before: string): Verb<number> {
  const rows = yield* all<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox
    WHERE tenant_id = ? AND state = 'new' AND asked_json IS NOT NULL AND received_at < ?`,
    [tenantId, before],
  );
  const left = rows.filter((row) => toInboxRow(row).asked?.direct);
  for (const { id } of left)
    yield* change("UPDATE inbox SET state = 'done', reason = 'abandoned' WHERE tenant_id = ? AND id = ?", [
      tenantId,
      id,
    ]);
  return left.length;
}

function* countAttempt(tenantId: string, id: string): Verb<number> {
  const row = yield* first<{ attempts: number }>(
    "UPDATE inbox SET attempts = attempts + 1 WHERE tenant_id = ? AND id = ? RETURNING attempts",
    [tenantId, id],
  );
  return row?.attempts ?? 0;
}

function* newestContext(tenantId: string, conversation: string, limit: number): Verb<StoredInbox[]> {
  return yield* all<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox
    WHERE tenant_id = ? AND conversation = ? AND state = 'context' ORDER BY position DESC ${atMost}`,
    [tenantId, conversation, limit],
  );
}

/** Nothing when there is something to delete first. */
function* readContext(tenantId: string, conversation: string, keep: number): Verb<InboxRow[] | undefined> {
  const rows = yield* newestContext(tenantId, conversation, keep + 1);
  return rows.length > keep ? undefined : rows.reverse().map(toInboxRow);
}

function* trimContext(tenantId: string, conversation: string, keep: number): Verb<InboxRow[]> {
  const rows = yield* newestContext(tenantId, conversation, keep);
  yield* change(
    "DELETE FROM inbox WHERE tenant_id = ? AND conversation = ? AND state = 'context' AND position < ?",
    [tenantId, conversation, rows.at(-1)?.position ?? Number.MAX_SAFE_INTEGER],
  );
  return rows.reverse().map(toInboxRow);
}

function* listDead(
  tenantId: string,
  { limit, before }: Parameters<InboxStore["listDead"]>[0],
): Verb<InboxRow[]> {
  const rows = yield* all<StoredInbox>(
    `SELECT ${inboxColumns} FROM inbox WHERE tenant_id = ? AND ${deadMessage} AND position < ?
    ORDER BY position DESC LIMIT ?`,
    [tenantId, before ?? Number.MAX_SAFE_INTEGER, Math.max(0, limit)],
  );
  return rows.map(toInboxRow);
}

function* revive(tenantId: string, id: string): Verb<InboxRow | undefined> {
  const row = yield* first<StoredInbox>(
    `UPDATE inbox SET state = 'new', reason = NULL, attempts = 0
    WHERE tenant_id = ? AND id = ? AND ${deadMessage} RETURNING ${inboxColumns}`,
    [tenantId, id],
  );
  return row && toInboxRow(row);
}

/** The newest ones, where there are more. */
function* reviveRefused(tenantId: string, conversation: string, limit: number): Verb<InboxRow[]> {
  const rows = yield* all<StoredInbox>(
    `UPDATE inbox SET state = 'new', reason = NULL
    WHERE tenant_id = ? AND position IN (SELECT position FROM inbox
      WHERE tenant_id = ? AND conversation = ? AND state = 'refused' AND reason = 'pairing'
      ORDER BY position DESC LIMIT ?)
    RETURNING ${inboxColumns}`,
    [tenantId, tenantId, conversation, limit],
  );
  return rows.map(toInboxRow).sort((one, other) => one.position - other.position);
}

function* dropDead(tenantId: string, id: string): Verb<boolean> {
  const row = yield* first(
    `UPDATE inbox SET state = 'done', reason = 'dropped' WHERE tenant_id = ? AND id = ? AND ${deadMessage} RETURNING id`,
    [tenantId, id],
  );
  return row !== undefined;
}

/** Oldest first, so it looks at no more than it may delete: positions rise with the time of arrival. */
function* prune(tenantId: string, before: string, limit: number): Verb<number> {
  const rows = yield* all<{ position: number; received_at: string }>(
    `SELECT position, received_at FROM inbox
    WHERE tenant_id = ? AND state IN ('context', 'refused', 'command', 'done')
    ORDER BY position LIMIT ?`,
    [tenantId, Math.max(0, limit)],
  );
  const old = rows.filter((row) => row.received_at < before);
  for (const { position } of old)
    yield* change("DELETE FROM inbox WHERE tenant_id = ? AND position = ?", [tenantId, position]);
  return old.length;
}
