/**
 * Full-text search in messages. Reads backwards in small batches and compares here, not in SQL: texts span several
 * fields, case folding is more than A to Z, and other work runs between batches.
 */
import { setImmediate as othersTurn } from "node:timers/promises";
import { textOf, type MessageEntry } from "@pincer/sdk";
import { all, atMost, type Database, type Verb } from "../sqlite/database.ts";
import { toMessageEntry, type EntryRow } from "./entry-row.ts";
import type { EntryStore } from "../stores.ts";

type Query = Parameters<EntryStore["search"]>[1];
type Outcome = Awaited<ReturnType<EntryStore["search"]>>;

/** The most results of one search. */
const mostFound = 1000;
/** Rows per batch, read on the shared thread. */
const pieceSize = 20;

export async function searchEntries(
  { database, tenantId }: { database: Database; tenantId: string },
  sessionId: string,
  query: Query,
): Promise<Outcome> {
  const limit = Math.min(Math.max(0, query.limit), mostFound);
  const terms = query.terms.map(fold).filter((term) => term !== "");
  const outcome: Outcome = { found: [], stoppedAt: null };
  if (terms.length === 0 || limit === 0) return outcome;
  const { found } = outcome;
  const sessions = query.everySession
    ? await database.read(() => sessionsOfKey(tenantId, sessionId))
    : [sessionId];
  let left = query.most ?? Infinity;
  for (const [index, each] of sessions.entries()) {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const start = before;
      const rows = await database.read(() => readPiece(tenantId, each, start));
      for (const entry of matching(rows, terms)) {
        if (query.isWanted?.(entry) ?? true) found.push({ sessionId: each, entry });
        if (found.length === limit) return outcome;
      }
      left -= rows.length;
      before = rows.at(-1)?.seq ?? 1;
      const isOver = rows.length < pieceSize;
      if (left <= 0 && !(isOver && index === sessions.length - 1))
        return { found, stoppedAt: { sessionId: each, seq: before } };
      await othersTurn();
      if (isOver) break;
    }
  }
  return outcome;
}

/** Compares the raw row first: parsing JSON is the expensive part. */
function* matching(rows: readonly EntryRow[], terms: readonly string[]): Generator<MessageEntry> {
  const written = terms.map((term) => JSON.stringify(term).slice(1, -1));
  for (const row of rows) {
    const raw = fold(row.body_json);
    if (!written.every((term) => raw.includes(term))) continue;
    const entry = toMessageEntry(row);
    const words = fold(textOf(entry.message));
    if (terms.every((term) => words.includes(term))) yield entry;
  }
}

const fold = (text: string): string => text.toLowerCase();

function* readPiece(tenantId: string, sessionId: string, before: number): Verb<EntryRow[]> {
  return yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq < ? AND type = 'message' ORDER BY seq DESC ${atMost}`,
    [tenantId, sessionId, before, pieceSize],
  );
}

/** Newest first. */
export function* sessionsOfKey(tenantId: string, sessionId: string): Verb<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT other.id FROM sessions AS own
    JOIN sessions AS other
      ON other.tenant_id = own.tenant_id AND other.workspace_id = own.workspace_id
      AND other.session_key = own.session_key
    WHERE own.tenant_id = ? AND own.id = ?
    ORDER BY other.created_at DESC, other.id DESC`,
    [tenantId, sessionId],
  );
  return rows.map(({ id }) => id);
}
