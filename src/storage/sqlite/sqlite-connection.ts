/** One connection to a SQLite file, set up the way Pincer wants it. */
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { isPassing } from "./sqlite-errors.ts";

/** How long SQLite waits for another process's lock before it gives up. */
export const busyTimeoutMs = 15_000;

/**
 * A commit writes whole pages, and a turn changes a few bytes on many of them. With pages of 4 KB a plain turn wrote 250 KB, with these it
 * writes 92 KB. Still smaller ones would cut most rows in pieces.
 */
export const pageSize = 1024;

/** Up to there the log keeps its length when it restarts, which makes syncs cheap. */
export const journalBytes = 4 * 1024 * 1024;

/**
 * From 16 MB of log on, SQLite checkpoints within a commit, blocking this thread. Normally the checkpointer prevents
 * this.
 */
const lastResortPages = 16_384;

/**
 * Opens and switches to write-ahead logging. SQLite does not wait for locks while it switches, so when
 * many processes meet at a new file all but one are turned away: they come back until the timeout.
 */
export async function connect(
  file: string,
  clock: Clock,
  /** Of a new file; SQLite's own choice unless told. */
  newPageSize?: number,
  /** What closes one that cannot be used. */
  close = (connection: DatabaseSync): void => connection.close(),
): Promise<DatabaseSync> {
  const until = clock.monotonic() + busyTimeoutMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    const connection = new DatabaseSync(file, { timeout: busyTimeoutMs });
    try {
      if (newPageSize !== undefined) connection.exec(`PRAGMA page_size = ${newPageSize}`);
      setUp(connection, file);
      return connection;
    } catch (error) {
      close(connection);
      if (!isPassing(error) || clock.monotonic() >= until) throw error;
    }
    await clock.sleep(pauseMs);
  }
}

function setUp(connection: DatabaseSync, file: string): void {
  const mode = connection.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
  if (mode !== "wal")
    throw failure(
      "storage/unavailable",
      "failure.no-shared-memory",
      { file },
      { hint: "failure.no-shared-memory.hint" },
    );
  connection.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -2000;
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = ${journalBytes};
    PRAGMA wal_autocheckpoint = ${lastResortPages};
  `);
  // The first read takes the lock that keeps the log in place until we close.
  connection.prepare("SELECT count(*) FROM sqlite_master").get();
}
