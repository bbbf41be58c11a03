/** The terms of the index, as a search reads them: how many lines each is in, which are like it, and where it stands. */
import type { DatabaseSync } from "node:sqlite";

export interface WordReader {
  /** How many lines have the term among their words, and how many in who and when. */
  count(term: string): TermCount;
  /** Terms that begin so, with the number of lines that have them among their words. At most `limit`. */
  beginningWith(beginning: string, limit: number): Array<{ term: string; lines: number }>;
  /** The rows of lines that have the term, from a row on, rising; as often as the line has it. */
  places(term: string, column: "body" | "head", fromLineId: number): number[];
  /** Of lines of these sources that have the term among their words. */
  placesWithin(term: string, sourceIds: readonly number[]): number[];
}

interface TermCount {
  body: number;
  head: number;
}

/** One for each connection: to prepare what it asks takes longer than a search may. */
const readers = new WeakMap<DatabaseSync, WordReader>();

export function wordReaderOf(connection: DatabaseSync): WordReader {
  const known = readers.get(connection);
  if (known) return known;
  const reader = createWordReader(connection);
  readers.set(connection, reader);
  return reader;
}

function createWordReader(connection: DatabaseSync): WordReader {
  const count = connection.prepare("SELECT col, doc FROM words_terms WHERE term = ?");
  const beginning = connection.prepare(
    "SELECT term, doc FROM words_terms WHERE term >= ? AND term < ? AND col = 'body' LIMIT ?",
  );
  // One string for all of them: rows one by one cost ten times as much.
  const places = connection.prepare(
    "SELECT group_concat(doc) AS rows FROM words_places WHERE term = ? AND col = ? AND doc >= ?",
  );
  const placesWithin = connection.prepare(`
    SELECT group_concat(doc) AS rows FROM words_places WHERE term = ? AND col = 'body'
      AND doc IN (SELECT line_id FROM lines WHERE source_id IN (SELECT value FROM json_each(?)))`);
  return {
    count(term) {
      const counts: TermCount = { body: 0, head: 0 };
      for (const row of count.all(term)) counts[row["col"] === "head" ? "head" : "body"] = Number(row["doc"]);
      return counts;
    },
    beginningWith: (start, limit) =>
      beginning
        .all(start, `${start}\u{10FFFF}`, limit)
        .map((row) => ({ term: String(row["term"]), lines: Number(row["doc"]) })),
    places: (term, column, fromLineId) => lineIds(places.get(term, column, fromLineId)),
    placesWithin: (term, sourceIds) => lineIds(placesWithin.get(term, JSON.stringify(sourceIds))),
  };
}

function lineIds(row: Record<string, unknown> | undefined): number[] {
  const rows = row?.["rows"];
  return typeof rows === "string" ? rows.split(",").map(Number) : [];
}
