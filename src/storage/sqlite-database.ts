/**
 * SQLite as a `Database`. Verbs run on the calling thread, each within one transaction from start to end,
 * so nothing comes between its statements. Commits do not sync (`synchronous = NORMAL`); a write that must
 * be on the disk then waits, off the thread, for a sync of the log that it shares with its neighbours.
 */
import type { PincerError } from "@pincer/sdk";
import { fdatasync as fdatasyncWithCallback } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Database, Row, Statement, Verb } from "./database.ts";
import { createSharedSync } from "./shared-sync.ts";
import { busyTimeoutMs, connect } from "./sqlite-connection.ts";
import { asStorageError, isPassing } from "./sqlite-errors.ts";
import { closeToOthers, prepareDatabaseFile } from "./sqlite-files.ts";
import { openWalFile, type Fdatasync } from "./wal-file.ts";

export interface SqliteDatabase extends Database {
  /** Why writes are refused, if they are. */
  failure(): PincerError | undefined;
  /** Waits for running syncs, then closes. Safe to call twice. */
  close(): Promise<void>;
}

export interface SqliteDatabaseParts {
  file: string;
  clock: Clock;
  /** The system's unless told. */
  fdatasync?: Fdatasync;
}

/** Opens the file, creating it where there is none; the schema is the caller's to bring up to date. */
export async function openSqliteDatabase(parts: SqliteDatabaseParts): Promise<SqliteDatabase> {
  const { file, clock, fdatasync = promisify(fdatasyncWithCallback) } = parts;
  try {
    await prepareDatabaseFile(file);
    const connection = await connect(file, clock);
    try {
      // SQLite gives its log the mode of the database, unless that is none at all: then everybody could read the log.
      closeToOthers(file);
      return driveSqlite(connection, file, fdatasync);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw asStorageError(error, file);
  }
}

function driveSqlite(connection: DatabaseSync, file: string, fdatasync: Fdatasync): SqliteDatabase {
  const wal = openWalFile({ file, fdatasync });
  const sync = createSharedSync({ fdatasync: () => wal.sync() });
  const statements = new Map<string, StatementSync>();
  const changeCount = connection.prepare("SELECT total_changes() AS count");
  let closed = false;

  function run({ sql, parameters, once }: Statement): Row[] {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      if (!once) statements.set(sql, statement);
    }
    return statement.all(...parameters);
  }

  function transact<Result>(begin: string, verb: () => Verb<Result>): Result {
    requireOpen();
    try {
      run({ sql: begin, parameters: [] });
      const work = verb();
      let step = work.next();
      while (!step.done) step = work.next(run(step.value));
      run({ sql: "COMMIT", parameters: [] });
      return step.value;
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw asStorageError(error, file);
    }
  }

  function requireOpen(): void {
    if (closed) throw failure("storage/unavailable", "failure.database-closed");
  }

  const changes = () => changeCount.get()?.["count"];

  function refusal(): PincerError | undefined {
    const failed = sync.failure();
    return failed && lostTheDisk(file, failed.error);
  }

  return {
    failure: refusal,
    async read(verb) {
      return transact("BEGIN", verb);
    },
    async write(verb, { sync: when, unless }) {
      const found = unless && transact("BEGIN", unless);
      if (found !== undefined) return found;
      const refused = refusal();
      if (refused) throw refused;
      requireOpen();
      const before = changes();
      const result = transact("BEGIN IMMEDIATE", verb);
      if (when === "now" && changes() !== before) {
        await sync.request().catch((error: unknown) => {
          throw lostTheDisk(file, error);
        });
      }
      return result;
    },
    async forgetDeleted() {
      // Deleted rows are overwritten in the database, but the log still has them until it is emptied.
      connection.exec("PRAGMA busy_timeout = 200");
      try {
        connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (error) {
        // Others are reading: the log is emptied when they are done, at the latest by the last to close.
        if (!isPassing(error)) throw asStorageError(error, file);
      } finally {
        connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await sync.idle();
      wal.close();
      connection.close();
    },
  };
}

/** For good: a later sync may succeed although the pages of the failed one are gone. */
function lostTheDisk(file: string, cause: unknown): PincerError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return failure(
    "storage/failed",
    "failure.disk-lost",
    { reason, file },
    { hint: "failure.disk-lost.hint", cause },
  );
}
