/** Notices for the owner. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { all, first, type Database, type Verb } from "../sqlite/database.ts";
import type { Notice, NoticeDraft } from "./notice.ts";
import type { NoticeStore } from "./notices.ts";
import type { OutboxDraft, OutboxRow } from "./outbox.ts";
import { momentOf, type Moment } from "../moment.ts";
import { insertDrafts } from "./outbox-drafts.ts";

export function createNoticeStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
}): NoticeStore {
  const { database, tenantId } = parts;
  return {
    add(draft) {
      const moment = momentOf(parts);
      return database.write(() => addNotice(moment, draft), { sync: "now" });
    },
    list: (query) => database.read(() => list(tenantId, query)),
    untold: (limit) => database.read(() => listUntold(tenantId, limit)),
    tell(id, drafts) {
      const moment = momentOf(parts);
      return database.write(() => tell(moment, id, drafts), { sync: "later" });
    },
    dismiss(idOrSubject) {
      const { now } = momentOf(parts);
      return database.write(() => dismiss(tenantId, idOrSubject, now), { sync: "now" });
    },
  };
}

interface NoticeRow {
  id: string;
  kind: string;
  subject: string;
  text_json: string;
  created_at: string;
  dismissed_at: string | null;
}

const columns = "id, kind, subject, text_json, created_at, dismissed_at";

/** Keeps an open notice about the same subject, unless the draft replaces it with other words. */
export function* addNotice(moment: Moment, draft: NoticeDraft): Verb<{ notice: Notice; isNew: boolean }> {
  const { tenantId, now, ids } = moment;
  const text = JSON.stringify(draft.text);
  const open = yield* first<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE tenant_id = ? AND subject = ? AND dismissed_at IS NULL`,
    [tenantId, draft.subject],
  );
  if (open && draft.replaces && open.text_json !== text) return yield* rewrite(tenantId, open.id, text);
  if (open) return { notice: toNotice(open), isNew: false };
  const row = yield* first<NoticeRow>(
    `INSERT INTO notices (tenant_id, position, id, kind, subject, text_json, created_at)
    VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM notices WHERE tenant_id = ?), ?, ?, ?, ?, ?)
    RETURNING ${columns}`,
    [tenantId, tenantId, ids.make("n"), draft.kind, draft.subject, text, now],
  );
  if (!row) throw new Error("an insert gave no row back");
  return { notice: toNotice(row), isNew: true };
}

/** These words have not been sent. */
function* rewrite(tenantId: string, id: string, text: string): Verb<{ notice: Notice; isNew: boolean }> {
  const row = yield* first<NoticeRow>(
    `UPDATE notices SET text_json = ?, told_at = NULL WHERE tenant_id = ? AND id = ? RETURNING ${columns}`,
    [text, tenantId, id],
  );
  if (!row) throw new Error("an update gave no row back");
  return { notice: toNotice(row), isNew: true };
}

function* list(tenantId: string, { limit, all: every }: Parameters<NoticeStore["list"]>[0]): Verb<Notice[]> {
  const rows = yield* all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE tenant_id = ?${every ? "" : " AND dismissed_at IS NULL"}
    ORDER BY position DESC LIMIT ?`,
    [tenantId, Math.max(0, limit)],
  );
  return rows.map(toNotice);
}

function* listUntold(tenantId: string, limit: number): Verb<Notice[]> {
  const rows = yield* all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE tenant_id = ? AND told_at IS NULL AND dismissed_at IS NULL
    ORDER BY position LIMIT ?`,
    [tenantId, Math.max(0, limit)],
  );
  return rows.map(toNotice);
}

function* tell(moment: Moment, id: string, drafts: readonly OutboxDraft[]): Verb<OutboxRow[]> {
  const row = yield* first(
    `UPDATE notices SET told_at = ? WHERE tenant_id = ? AND id = ? AND told_at IS NULL RETURNING id`,
    [moment.now, moment.tenantId, id],
  );
  return row ? yield* insertDrafts(moment, drafts) : [];
}

function* dismiss(tenantId: string, idOrSubject: string, now: string): Verb<boolean> {
  const row = yield* first(
    `UPDATE notices SET dismissed_at = ?
    WHERE tenant_id = ? AND (id = ? OR subject = ?) AND dismissed_at IS NULL RETURNING id`,
    [now, tenantId, idOrSubject, idOrSubject],
  );
  return row !== undefined;
}

function toNotice(row: NoticeRow): Notice {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    text: JSON.parse(row.text_json) as Notice["text"],
    createdAt: row.created_at,
    dismissedAt: row.dismissed_at,
  };
}
