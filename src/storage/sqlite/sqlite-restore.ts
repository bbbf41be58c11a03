/**
 * Inspects and restores a copy of the database. SQLite's backup API restores it into the live file in one
 * transaction: other connections see the old state or the new one, and no file is swapped under them.
 */
import type { PincerError } from "@pincer/sdk";
import { pathToFileURL } from "node:url";
import { backup, DatabaseSync } from "node:sqlite";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { refuseNewer } from "../schema/migrations.ts";
import { busyTimeoutMs } from "./sqlite-connection.ts";
import { asStorageError, damageFound } from "./sqlite-errors.ts";
import { prepareDatabaseFile } from "./sqlite-files.ts";

export interface SqliteCopy {
  schemaVersion: number;
  sessions: number;
  entries: number;
  /** What the integrity check found; empty when the copy is whole. */
  problems: PincerError[];
}

/** Reads a copy that is not in use; leaves no file beside it. Throws `storage/…` if it is no database. */
export function inspectSqliteCopy(file: string): SqliteCopy {
  return withCopy(file, (copy) => {
    const problems = damageFound({
      integrity: copy
        .prepare("PRAGMA integrity_check")
        .all()
        .map((row) => String(row["integrity_check"])),
      orphans: copy
        .prepare("PRAGMA foreign_key_check")
        .all()
        .map((row) => String(row["table"])),
    });
    const number = (sql: string) => Number(copy.prepare(sql).get()?.["number"] ?? 0);
    return {
      schemaVersion: number("SELECT coalesce(max(version), 0) AS number FROM schema_migrations"),
      sessions: number("SELECT count(*) AS number FROM sessions"),
      entries: number("SELECT count(*) AS number FROM entries"),
      problems,
    };
  });
}

export interface SqliteRestore {
  /** A whole copy, as `backupSqlite` makes it. */
  from: string;
  /** The live database; created if missing. Others may have it open. */
  into: string;
  clock: Clock;
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Afterwards the database holds what the copy holds and nothing else; it is on the disk. Until then, or when
 * this throws, it is as it was. Waits for writers, then throws `storage/busy`. The schema stays the copy's: open
 * the stores again to bring it up to date. Throws `storage/too-new` for a copy that this code cannot read.
 */
export async function restoreSqlite(request: SqliteRestore): Promise<void> {
  const { from, into, clock, onProgress, signal } = request;
  refuseNewer(inspectVersion(from), "copy");
  try {
    await prepareDatabaseFile(into);
    const until = clock.monotonic() + busyTimeoutMs;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      signal?.throwIfAborted();
      if ((await tryRestore(from, into, onProgress, signal)) === "done") return;
      if (clock.monotonic() >= until) throw busy(into);
      await clock.sleep(pauseMs, signal);
    }
  } catch (error) {
    throw asStorageError(error, into);
  }
}

async function tryRestore(
  from: string,
  into: string,
  onProgress: SqliteRestore["onProgress"],
  signal: AbortSignal | undefined,
): Promise<"done" | "busy"> {
  const copy = openCopy(from);
  try {
    matchPageSize(copy, into);
    await backup(copy, into, {
      rate: 256,
      progress({ totalPages, remainingPages }) {
        onProgress?.(totalPages - remainingPages, totalPages);
        // Throwing here gives the transaction up.
        signal?.throwIfAborted();
      },
    });
    return "done";
  } catch (error) {
    if (isTurnedAway(error)) return "busy";
    throw error;
  } finally {
    copy.close();
  }
}

/** A copy goes page by page, so both need pages of one size; those of a database with a log cannot change. */
function matchPageSize(copy: DatabaseSync, into: string): void {
  const wanted = Number(copy.prepare("PRAGMA page_size").get()?.["page_size"]);
  const target = new DatabaseSync(into, { timeout: 200 });
  try {
    if (Number(target.prepare("PRAGMA page_size").get()?.["page_size"]) === wanted) return;
    target.exec(`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${wanted}; VACUUM`);
  } finally {
    target.close();
  }
}

/** A destination that another connection is writing to is reported without a code of its own: as no error at all. */
function isTurnedAway(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" && [0, 5, 6].includes(errcode & 0xff);
}

function inspectVersion(file: string): number {
  return withCopy(file, (copy) =>
    Number(
      copy.prepare("SELECT coalesce(max(version), 0) AS version FROM schema_migrations").get()?.["version"],
    ),
  );
}

function withCopy<Result>(file: string, read: (copy: DatabaseSync) => Result): Result {
  try {
    const copy = openCopy(file);
    try {
      return read(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    throw asStorageError(error, file);
  }
}

/** Immutable: SQLite takes no locks, looks for no log, and cannot change it. */
function openCopy(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}

const busy = (file: string) =>
  failure(
    "storage/busy",
    "failure.database-written-to",
    { file },
    { hint: "failure.database-written-to.hint" },
  );
