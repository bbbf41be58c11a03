/** How a SQLite database is doing. */
import { asPincerError, type PincerError } from "@pincer/sdk";
import { stat } from "node:fs/promises";
import { all, first, type Database, type Verb } from "./database.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import { asStorageError, damageFound } from "./sqlite-errors.ts";
import type { StorageHealth } from "../storage.ts";

/** Never throws: what keeps the database from answering is among the problems. */
export async function checkHealth(parts: {
  database: SqliteDatabase;
  file: string;
  depth: "quick" | "full";
}): Promise<StorageHealth> {
  const { database, file, depth } = parts;
  const health: StorageHealth = {
    ok: false,
    kind: "sqlite",
    schemaVersion: 0,
    sizeBytes: 0,
    sessions: 0,
    entries: 0,
    problems: [],
  };
  const failure = database.failure() ?? database.logProblem();
  if (failure) health.problems.push(failure);
  try {
    health.sizeBytes = (await sizeOf(file)) + (await sizeOf(`${file}-wal`));
    health.schemaVersion = await schemaVersionOf(database);
    Object.assign(health, await database.read(countAll));
    if (depth === "full") health.problems.push(...(await database.read(findDamage)));
  } catch (error) {
    health.problems.push(asPincerError(asStorageError(error, file)));
  }
  health.ok = health.problems.length === 0;
  return health;
}

/** Zero for a database without a schema. */
export function schemaVersionOf(database: Database): Promise<number> {
  return database.read(function* () {
    const table = yield* first("SELECT name FROM sqlite_master WHERE name = 'schema_migrations'");
    if (!table) return 0;
    const row = yield* first<{ version: number }>(
      "SELECT coalesce(max(version), 0) AS version FROM schema_migrations",
    );
    return row?.version ?? 0;
  });
}

/** Over all tenants. */
export function* countAll(): Verb<{ sessions: number; entries: number }> {
  // The sessions know how many entries they have: counting those would read the whole database.
  const row = yield* first<{ sessions: number; entries: number }>(
    "SELECT count(*) AS sessions, coalesce(sum(entry_count), 0) AS entries FROM sessions",
  );
  return { sessions: row?.sessions ?? 0, entries: row?.entries ?? 0 };
}

function* findDamage(): Verb<PincerError[]> {
  const found = yield* all<{ integrity_check: string }>("PRAGMA integrity_check");
  const orphans = yield* all<{ table: string }>("PRAGMA foreign_key_check");
  return damageFound({
    integrity: found.map((row) => row.integrity_check),
    orphans: orphans.map((row) => row.table),
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}
