/** Tells an index that cannot be used from one that cannot be reached at the moment. */
import type { DatabaseSync } from "node:sqlite";
import { isDamage } from "../sqlite/sqlite-errors.ts";

/** What the machine, another process or a signal does, and no file: SQLite's primary result codes. */
const passing = new Set([3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 21, 22, 23]);

/**
 * Of an error while an index is opened or looked through. Nonsense in a file shows in many ways, so that whatever is not the world's doing
 * is held to be damage: the statements are known to work.
 */
export function isDamaged(thrown: unknown): boolean {
  const { errcode } = thrown as { errcode?: unknown };
  return thrown instanceof Error && typeof errcode === "number" && !passing.has(errcode & 0xff);
}

/** Of an error in use, where a statement may be to blame as well: the file is then looked through. */
export function isDamagedIndex(thrown: unknown, connection: DatabaseSync): boolean {
  return isDamage(thrown) || (isDamaged(thrown) && !isSound(connection));
}

/** Reads the whole file. */
export function isSound(connection: DatabaseSync): boolean {
  try {
    touchTables(connection);
    return connection.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"] === "ok";
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}

const tables = ["meta", "sources", "lines", "words_terms", "words_places", "vectors"];

/** Throws where one of them cannot even be begun with. */
export function touchTables(connection: DatabaseSync): void {
  for (const table of tables) connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
  connection.prepare("SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1").get();
}
