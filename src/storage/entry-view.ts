/**
 * What a turn reads of its session. The last mark says where to begin; marks have a small table of their own beside the entries, so
 * that finding the last one costs the same however long the session is.
 */
import type { Entry, EntryBody, MessageEntry } from "@pincer/sdk";
import { all, atMost, change, first, type Verb } from "./database.ts";
import { toEntry, toMessageEntry, type EntryRow } from "./entry-row.ts";
import type { EntryStore } from "./stores.ts";

export function* readView(
  tenantId: string,
  sessionId: string,
  { before, limit }: Parameters<EntryStore["view"]>[1],
): Verb<Awaited<ReturnType<EntryStore["view"]>>> {
  const mark = yield* lastMark(tenantId, sessionId);
  const wanted = Math.max(0, limit);
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq >= ? AND seq < ? AND type = 'message'
    ORDER BY seq DESC ${atMost}`,
    [tenantId, sessionId, firstShown(mark), before, wanted + 1],
  );
  return {
    mark,
    said: rows.slice(0, wanted).reverse().map(toMessageEntry),
    isCut: rows.length > wanted,
  };
}

export function* readMessagesFrom(
  tenantId: string,
  sessionId: string,
  from: number,
  limit: number,
): Verb<MessageEntry[]> {
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq >= ? AND type = 'message' ORDER BY seq ${atMost}`,
    [tenantId, sessionId, from, Math.max(0, limit)],
  );
  return rows.map(toMessageEntry);
}

export function* readAt(tenantId: string, sessionId: string, seq: number): Verb<Entry | undefined> {
  const row = yield* first<EntryRow>(
    "SELECT seq, time, body_json FROM entries WHERE tenant_id = ? AND session_id = ? AND seq = ?",
    [tenantId, sessionId, seq],
  );
  return row && toEntry(row);
}

/** What was carried over from another session is no place that anybody set, so it is not listed. */
export function* readMarks(tenantId: string, sessionId: string, limit: number): Verb<Entry[]> {
  const marks = yield* all<{ seq: number }>(
    `SELECT seq FROM session_marks WHERE tenant_id = ? AND session_id = ? AND type IN ('compaction', 'anchor')
    ORDER BY seq DESC ${atMost}`,
    [tenantId, sessionId, Math.max(0, limit)],
  );
  const entries: Entry[] = [];
  for (const { seq } of marks) {
    const entry = yield* readAt(tenantId, sessionId, seq);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Notes a new entry among the marks, if it is one. */
export function* noteMark(tenantId: string, sessionId: string, seq: number, body: EntryBody): Verb<void> {
  if (!isMark(body)) return;
  yield* change("INSERT INTO session_marks (tenant_id, session_id, seq, type) VALUES (?, ?, ?, ?)", [
    tenantId,
    sessionId,
    seq,
    body.type,
  ]);
}

const isMark = (body: EntryBody): boolean =>
  body.type === "compaction" || body.type === "anchor" || (body.type === "event" && body.name === "carried");

function* lastMark(tenantId: string, sessionId: string): Verb<Entry | undefined> {
  const row = yield* first<{ seq: number }>(
    "SELECT seq FROM session_marks WHERE tenant_id = ? AND session_id = ? ORDER BY seq DESC LIMIT 1",
    [tenantId, sessionId],
  );
  return row && (yield* readAt(tenantId, sessionId, row.seq));
}

function firstShown(mark: Entry | undefined): number {
  if (!mark) return 1;
  return mark.type === "compaction" ? mark.keepFrom : mark.seq + 1;
}
