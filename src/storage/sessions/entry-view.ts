/**
 * What a turn reads of its session, from the last mark on. Marks have their own small table, so that finding the last
 * one costs the same in a session of any length.
 */
import type { Entry, EntryBody, MessageEntry } from "@pincer/sdk";
import { all, atMost, change, first, type Verb } from "../sqlite/database.ts";
import { toEntry, toMessageEntry, type EntryRow } from "./entry-row.ts";
import {
  createKeptEntries,
  type AskedMessages,
  type KeptEntries,
  type ReadMessages,
} from "./kept-entries.ts";
import { isSetAside, isWithin, readAsides, type AsideSpan } from "../set-aside.ts";
import type { EntryStore } from "../stores.ts";

export function* readView(
  tenantId: string,
  sessionId: string,
  { before, limit }: Parameters<EntryStore["view"]>[1],
  kept: KeptEntries = createKeptEntries(),
): Verb<View> {
  const wanted = Math.max(0, limit);
  const unmarked = yield* readSaid({ sessionId, kept, asked: { shape: "", before, wanted } }, (from) =>
    all<EntryRow>(selectUnmarked, [tenantId, sessionId, from, tenantId, sessionId, before, wanted + 1]),
  );
  if (unmarked) return { mark: undefined, ...unmarked };
  const asides = yield* readAsides(tenantId, sessionId);
  const mark = yield* lastMark(tenantId, sessionId, asides);
  const first = firstShown(mark);
  const left = asides.filter(({ to }) => to >= first).flatMap(({ from, to }) => [from, to]);
  const asked = { shape: [first, ...left].join(" "), before, wanted };
  const said = yield* readSaid({ sessionId, kept, asked }, (from) =>
    all<EntryRow>(
      `SELECT seq, time, body_json FROM entries
      WHERE tenant_id = ? AND session_id = ? AND seq >= ? AND seq < ? AND type = 'message'
      ${"AND seq NOT BETWEEN ? AND ? ".repeat(left.length / 2)}ORDER BY seq DESC ${atMost}`,
      [tenantId, sessionId, Math.max(first, from), before, ...left, wanted + 1],
    ),
  );
  return { mark, said: said?.said ?? [], isCut: said?.isCut ?? false };
}

type View = Awaited<ReturnType<EntryStore["view"]>>;

/** The cached messages, followed by newer ones; undefined if there are none. `rowsFrom` starts with the newest. */
function* readSaid(
  { sessionId, kept, asked }: { sessionId: string; kept: KeptEntries; asked: AskedMessages },
  rowsFrom: (from: number) => Verb<EntryRow[]>,
): Verb<ReadMessages | undefined> {
  const from = kept.from(sessionId, asked);
  const rows = yield* rowsFrom(from);
  const said = rows.length > 0 ? kept.read(sessionId, { ...asked, from }, rows) : undefined;
  if (said || from === 0) return said;
  const whole = yield* rowsFrom(0);
  return whole.length > 0 ? kept.read(sessionId, { ...asked, from: 0 }, whole) : undefined;
}

/**
 * For sessions without marks, as most are, this reads everything. For others it finds nothing, at once: as a bound of
 * the search the marks are checked first; as a condition every entry would be visited.
 */
const selectUnmarked = `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND type = 'message' AND seq >= ? AND seq < (SELECT CASE
      WHEN EXISTS (SELECT 1 FROM session_marks WHERE tenant_id = ? AND session_id = ?) THEN 0 ELSE CAST(? AS BIGINT) END)
    ORDER BY seq DESC ${atMost}`;

export function* readMessagesFrom(
  tenantId: string,
  sessionId: string,
  from: number,
  limit: number,
): Verb<MessageEntry[]> {
  const asides = (yield* readAsides(tenantId, sessionId)).filter(({ to }) => to >= from);
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq >= ? AND type = 'message'
    ${"AND seq NOT BETWEEN ? AND ? ".repeat(asides.length)}ORDER BY seq ${atMost}`,
    [tenantId, sessionId, from, ...asides.flatMap((span) => [span.from, span.to]), Math.max(0, limit)],
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

/**
 * Marks carried over from another session were not set by anybody here, so they are not listed; nor are retracted
 * ones.
 */
export function* readMarks(tenantId: string, sessionId: string, limit: number): Verb<Entry[]> {
  const marks = yield* all<{ seq: number }>(
    `SELECT seq FROM session_marks WHERE tenant_id = ? AND session_id = ? AND type IN ('compaction', 'anchor')
    ORDER BY seq DESC ${atMost}`,
    [tenantId, sessionId, Math.max(0, limit)],
  );
  const asides = yield* readAsides(tenantId, sessionId);
  const entries: Entry[] = [];
  for (const { seq } of marks) {
    if (isWithin(asides, seq)) continue;
    const entry = yield* readAt(tenantId, sessionId, seq);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Stores a new entry among the marks, if it is one. */
export function* noteMark(tenantId: string, sessionId: string, seq: number, body: EntryBody): Verb<void> {
  const type = markOf(body);
  if (type === undefined) return;
  yield* change("INSERT INTO session_marks (tenant_id, session_id, seq, type) VALUES (?, ?, ?, ?)", [
    tenantId,
    sessionId,
    seq,
    type,
  ]);
}

function markOf(body: EntryBody): "compaction" | "anchor" | "event" | "aside" | undefined {
  if (body.type === "compaction" || body.type === "anchor") return body.type;
  if (isSetAside(body)) return "aside";
  return body.type === "event" && body.name === "carried" ? "event" : undefined;
}

/** A retracted mark does not count: what was before it is valid again. */
function* lastMark(
  tenantId: string,
  sessionId: string,
  asides: readonly AsideSpan[],
): Verb<Entry | undefined> {
  const row = yield* first<{ seq: number }>(
    `SELECT seq FROM session_marks WHERE tenant_id = ? AND session_id = ? AND type <> 'aside'
    ${"AND seq NOT BETWEEN ? AND ? ".repeat(asides.length)}ORDER BY seq DESC LIMIT 1`,
    [tenantId, sessionId, ...asides.flatMap(({ from, to }) => [from, to])],
  );
  return row && (yield* readAt(tenantId, sessionId, row.seq));
}

function firstShown(mark: Entry | undefined): number {
  if (!mark) return 1;
  return mark.type === "compaction" ? mark.keepFrom : mark.seq + 1;
}

/** The newest message of the assistant among these. */
export const findLastAnswer = (entries: readonly Entry[]): Entry | undefined =>
  entries.findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
