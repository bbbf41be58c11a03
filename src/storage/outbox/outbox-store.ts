/** The outbox: every visible message is a row before it is sent. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";
import { unfinishedMessage } from "../schema/message-schema.ts";
import type { OutboxRow, OutboxStore } from "./outbox.ts";
import { narrowed } from "../access/narrowed.ts";
import { momentOf } from "../moment.ts";
import { growPreview, insertDrafts } from "./outbox-drafts.ts";
import {
  beginSend,
  failSend,
  markSent,
  markUncertain,
  recover,
  retryAt,
  retryNow,
} from "./outbox-progress.ts";
import { getOutbox, outboxColumns, toOutboxRow, type StoredOutbox } from "./outbox-row.ts";

export function createOutboxStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
}): OutboxStore {
  const { database, tenantId } = parts;
  return {
    enqueue(drafts, { onDisk } = { onDisk: false }) {
      const moment = momentOf(parts);
      return database.write(() => insertDrafts(moment, drafts), { sync: onDisk ? "now" : "later" });
    },
    preview(draft) {
      const moment = momentOf(parts);
      return database.write(() => growPreview(moment, draft), { sync: "later" });
    },
    head: (conversation) => database.read(() => head(tenantId, conversation)),
    unfinished: () => database.read(() => unfinished(tenantId)),
    beginSend: (id, { repeated } = { repeated: false }) =>
      database.write(() => beginSend(tenantId, id, repeated), { sync: "now" }),
    markSent(id, sent) {
      const { now } = momentOf(parts);
      return database.write(() => markSent(tenantId, id, { ...sent, now }), { sync: "later" });
    },
    retryAt(id, nextAt, error) {
      const { now } = momentOf(parts);
      return database.write(() => retryAt(tenantId, id, { nextAt, error, now }), { sync: "later" });
    },
    markUncertain: (id, error) => database.write(() => markUncertain(tenantId, id, error), { sync: "later" }),
    fail(id, error, instead) {
      const moment = momentOf(parts);
      return database.write(() => failSend(moment, id, { error, ...instead }), { sync: "now" });
    },
    recover: () => database.write(() => recover(tenantId), { sync: "now" }),
    get: (id) => database.read(() => getOutbox(tenantId, id)),
    list: (query) => database.read(() => list(tenantId, query)),
    retry: (id, notAfter) => database.write(() => retryNow(tenantId, id, notAfter), { sync: "now" }),
    drop: (id) => database.write(() => drop(tenantId, id), { sync: "now" }),
    prune: (before, limit) => database.write(() => prune(tenantId, before, limit), { sync: "now" }),
  };
}

function* head(tenantId: string, conversation: string): Verb<OutboxRow | undefined> {
  const row = yield* first<StoredOutbox>(
    `SELECT ${outboxColumns} FROM outbox WHERE tenant_id = ? AND conversation = ? AND ${unfinishedMessage}
    ORDER BY position LIMIT 1`,
    [tenantId, conversation],
  );
  return row && toOutboxRow(row);
}

function* unfinished(tenantId: string): Verb<string[]> {
  const rows = yield* all<{ conversation: string }>(
    `SELECT DISTINCT conversation FROM outbox WHERE tenant_id = ? AND ${unfinishedMessage} ORDER BY conversation`,
    [tenantId],
  );
  return rows.map((row) => row.conversation);
}

function* list(tenantId: string, query: Parameters<OutboxStore["list"]>[0]): Verb<OutboxRow[]> {
  const { where, parameters } = narrowed(tenantId, {
    "position <": query.before,
    "turn_id =": query.turnId,
    state: query.states,
  });
  const rows = yield* all<StoredOutbox>(
    `SELECT ${outboxColumns} FROM outbox WHERE ${where} ORDER BY position DESC LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows.map(toOutboxRow);
}

function* drop(tenantId: string, id: string): Verb<boolean> {
  const row = yield* first(
    `UPDATE outbox SET state = 'dropped', is_open = 0
    WHERE tenant_id = ? AND id = ? AND (state = 'failed' OR ${unfinishedMessage}) RETURNING id`,
    [tenantId, id],
  );
  return row !== undefined;
}

/** Oldest first, so it reads only what it may delete: positions rise with the creation time. */
function* prune(tenantId: string, before: string, limit: number): Verb<number> {
  const rows = yield* all<{ position: number; created_at: string }>(
    `SELECT position, created_at FROM outbox
    WHERE tenant_id = ? AND NOT ${unfinishedMessage} AND is_open = 0 ORDER BY position LIMIT ?`,
    [tenantId, Math.max(0, limit)],
  );
  const old = rows.filter((row) => row.created_at < before);
  for (const { position } of old)
    yield* change("DELETE FROM outbox WHERE tenant_id = ? AND position = ?", [tenantId, position]);
  return old.length;
}
