/**
 * Opens `index.db`. What it holds can be made again, so whatever is not as it should be is made anew: a damaged file, one of another
 * version, one whose search terms were made in another way. Vectors cost money or minutes and are kept wherever they can be read.
 */
import { existsSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../infra/clock.ts";
import { connect } from "../sqlite/sqlite-connection.ts";
import { asStorageError, isPassing } from "../sqlite/sqlite-errors.ts";
import { closeToOthers, prepareDatabaseFile, removeDatabaseFiles } from "../sqlite/sqlite-files.ts";
import { isDamaged, touchTables } from "./index-damage.ts";
import { indexSchema, indexSchemaVersion } from "./index-schema.ts";

export interface OpenIndex {
  /** For the writer alone. */
  connection: DatabaseSync;
  /** For searches: it cannot write, and sees what is committed even while the writer is at work. */
  reader: DatabaseSync;
  /** Whether its version is still ours: a newer version in another process may have rebuilt it. */
  isCurrent(): boolean;
  /** Safe to call twice. */
  close(): void;
}

export interface OpenIndexParts {
  file: string;
  /** How what is in it was made; where any of them differs, all sources are forgotten. */
  versions: Record<string, number>;
  clock: Clock;
}

/** The tables that vectors are kept from must have these. */
const vectorColumns = ["embedder", "hash", "code", "vector", "used_at"];

/** Throws PincerError `storage/…` where no file can be made or locked. */
export async function openIndex(parts: OpenIndexParts): Promise<OpenIndex> {
  const { file } = parts;
  try {
    return await openSound(parts);
  } catch (error) {
    if (!isDamaged(error)) throw asStorageError(error, file);
  }
  return remakeIndex(parts);
}

/** In the place of a damaged file: a new one, with the vectors that could still be read. The connections to the old one must be closed. */
export async function remakeIndex(parts: OpenIndexParts): Promise<OpenIndex> {
  const { file } = parts;
  const broken = `${file}.broken`;
  try {
    removeDatabaseFiles(broken);
    for (const end of fileEnds) if (existsSync(file + end)) renameSync(file + end, broken + end);
    const index = await openSound(parts);
    rescueVectors(broken, index.connection);
    removeDatabaseFiles(broken);
    return index;
  } catch (error) {
    throw asStorageError(error, file);
  }
}

const fileEnds = ["", "-wal", "-shm"];

async function openSound({ file, versions, clock }: OpenIndexParts): Promise<OpenIndex> {
  await prepareDatabaseFile(file);
  let connection = await connect(file, clock);
  try {
    if (isForeign(connection)) {
      connection.close();
      // Not our database, so it must not be emptied.
      for (const end of fileEnds)
        if (existsSync(file + end)) renameSync(file + end, `${file}.set-aside${end}`);
      await prepareDatabaseFile(file);
      connection = await connect(file, clock);
    }
    // Waits for locks without blocking the thread.
    connection.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA wal_autocheckpoint = 1000;`);
    await bringUpToDate(connection, { schema: indexSchemaVersion, ...versions }, clock);
    touchTables(connection);
    closeToOthers(file);
    const reader = new DatabaseSync(file, { readOnly: true, timeout: readBusyMs });
    reader.exec("PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON;");
    return pair(connection, reader, () =>
      isUpToDate(connection, { schema: indexSchemaVersion, ...versions }),
    );
  } catch (error) {
    if (connection.isOpen) connection.close();
    throw error;
  }
}

const busyMs = 20;
const readBusyMs = 2_000;

function pair(connection: DatabaseSync, reader: DatabaseSync, isCurrent: () => boolean): OpenIndex {
  return {
    connection,
    reader,
    isCurrent,
    close() {
      for (const each of [reader, connection]) if (each.isOpen) each.close();
    },
  };
}

/** Tables, but not the one that every index of ours has. */
function isForeign(connection: DatabaseSync): boolean {
  const names = tableNames(connection);
  return (
    names.length > 0 && !(names.includes("meta") && names.includes("sources") && names.includes("lines"))
  );
}

async function bringUpToDate(
  connection: DatabaseSync,
  versions: Record<string, number>,
  clock: Clock,
): Promise<void> {
  if (isUpToDate(connection, versions)) return;
  await beginWriting(connection, clock);
  try {
    // Another process may have done it while this one waited.
    if (!isUpToDate(connection, versions)) makeTables(connection, versions);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

function isUpToDate(connection: DatabaseSync, versions: Record<string, number>): boolean {
  if (!tableNames(connection).includes("meta")) return false;
  const value = connection.prepare("SELECT value FROM meta WHERE key = ?");
  return Object.entries(versions).every(
    ([name, version]) => value.get(versionKey(name))?.["value"] === String(version),
  );
}

const versionKey = (name: string) => `version of ${name}`;

function makeTables(connection: DatabaseSync, versions: Record<string, number>): void {
  const keepsVectors = hasVectors(connection, "main");
  connection.exec(
    "DROP TABLE IF EXISTS words_places; DROP TABLE IF EXISTS words_terms; DROP TABLE IF EXISTS words;",
  );
  for (const name of tableNames(connection))
    if (name !== "vectors" || !keepsVectors) connection.exec(`DROP TABLE IF EXISTS "${name}"`);
  if (keepsVectors)
    connection.exec("DROP INDEX IF EXISTS vectors_by_use; ALTER TABLE vectors RENAME TO kept_vectors");
  connection.exec(indexSchema);
  if (keepsVectors) {
    const columns = vectorColumns.join(", ");
    connection.exec(`INSERT OR IGNORE INTO vectors (${columns}) SELECT ${columns} FROM kept_vectors`);
    connection.exec("DROP TABLE kept_vectors");
  }
  const note = connection.prepare("INSERT INTO meta (key, value) VALUES (?, ?)");
  for (const [name, version] of Object.entries(versions)) note.run(versionKey(name), String(version));
}

function tableNames(connection: DatabaseSync): string[] {
  const rows = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return rows.map(({ name }) => String(name)).filter((name) => !/^words_(?!terms)/.test(name));
}

function hasVectors(connection: DatabaseSync, schema: string): boolean {
  const columns = connection.prepare(`PRAGMA ${schema}.table_info(vectors)`).all();
  const names = new Set(columns.map(({ name }) => name));
  return vectorColumns.every((name) => names.has(name));
}

/** What was readable of them until the damage began is kept; losing the rest costs only time. */
function rescueVectors(broken: string, into: DatabaseSync): void {
  let from: DatabaseSync | undefined;
  try {
    from = new DatabaseSync(broken, { readOnly: true });
    const columns = vectorColumns.join(", ");
    const add = into.prepare(`INSERT OR IGNORE INTO vectors (${columns}) VALUES (?, ?, ?, ?, ?)`);
    into.exec("BEGIN IMMEDIATE");
    for (const row of from.prepare(`SELECT ${columns} FROM vectors`).iterate()) {
      const { embedder, hash, code, vector, used_at } = row;
      if (isOneVector(code, vector))
        add.run(embedder ?? null, hash ?? null, code ?? null, vector ?? null, used_at ?? null);
    }
  } catch {
    // No further: what came before is kept.
  }
  if (into.isTransaction) into.exec("COMMIT");
  from?.close();
}

/** Both empty, or a bit in whole words for each byte. */
const isOneVector = (code: unknown, vector: unknown): boolean =>
  code instanceof Uint8Array &&
  vector instanceof Uint8Array &&
  code.length === Math.ceil(vector.length / 32) * 4;

/** Changes whenever another process has written to the file. */
export function otherWrites({ connection }: OpenIndex): number {
  return Number(connection.prepare("PRAGMA data_version").get()?.["data_version"]);
}

/** How long a writer waits for one of another process. */
const longestWaitMs = 60_000;

/** Begins a transaction; waits for other processes without holding the thread. */
export async function beginWriting(connection: DatabaseSync, clock: Clock): Promise<void> {
  const until = clock.monotonic() + longestWaitMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    try {
      connection.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isPassing(error) || clock.monotonic() >= until) throw error;
    }
    await clock.sleep(pauseMs);
  }
}
