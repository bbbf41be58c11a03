/**
 * SQLite as a `Database`. Verbs run on this thread, each within one transaction from start to end, so
 * nothing comes between its statements. Commits do not sync (`synchronous = NORMAL`); a write that must
 * be on the disk then waits, off the thread, for a sync of the log that it shares with its neighbours.
 * Checkpoints, which sync too, are made by another thread.
 */
import { asPincerError, type PincerError } from "@pincer/sdk";
import { fdatasync as fdatasyncWithCallback } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { formatBytes } from "../../infra/format-bytes.ts";
import { change, first, type Database, type Verb, type WriteOptions } from "./database.ts";
import { startCheckpointThread, type StartCheckpointThread } from "./checkpoint-thread.ts";
import { createCheckpointer, usualLogLimits, type LogLimits } from "./checkpointer.ts";
import { freeBytes } from "../home/free-bytes.ts";
import { createPolicyKeeper, type PolicyBack } from "../policy-copy/keep-policy.ts";
import { checkPages } from "./check-pages.ts";
import { closeUnmarked, findLostLog, markOpen, type LostLog } from "./lost-log.ts";
import { createSharedSync } from "./shared-sync.ts";
import { busyTimeoutMs, connect, pageSize } from "./sqlite-connection.ts";
import { asStorageError, isPassing } from "./sqlite-errors.ts";
import { closeToOthers, prepareDatabaseFile } from "./sqlite-files.ts";
import { createTransactions } from "./sqlite-transactions.ts";
import { createConditionRecord, type StorageCondition } from "./storage-condition.ts";
import { openWalFile, type Fdatasync } from "./wal-file.ts";
import { createWriteQueue } from "./write-queue.ts";

export interface SqliteDatabase extends Database {
  /** Why writes are refused, if they are. */
  failure(): PincerError | undefined;
  /** Why the log cannot be emptied at present, if so. Writes work as long as it can grow. */
  logProblem(): PincerError | undefined;
  /** What the last writes, reads and checks said. Asks nothing. */
  condition(): StorageCondition;
  /** Changes a page and waits until it is on the disk. Throws PincerError `storage/…`. */
  tryWrite(): Promise<void>;
  /** Looks whether the disk has room for a turn; the condition knows it. Never throws. */
  lookForRoom(): Promise<void>;
  /** Reads every page, on a thread of its own; the condition knows what it found. Throws as `checkPages`. */
  checkPages(signal?: AbortSignal): Promise<PincerError[]>;
  /** What had become of its log when it was opened. */
  lostLog: LostLog | undefined;
  /** From now on policy is kept a second time; see `PolicyKeeper.begin`. Call it once, when the tables are there. */
  keepPolicy(before: (back: PolicyBack) => void): PolicyBack | undefined;
  /**
   * Waits for running writes, syncs and checkpoints, then closes. Safe to call twice. `isLossUnnoted`: that its log was lost is not written
   * down anywhere, so whoever opens it next has to find it out again.
   */
  close(how?: { isLossUnnoted?: boolean }): Promise<void>;
}

export interface SqliteDatabaseParts {
  file: string;
  clock: Clock;
  /** The system's unless told. */
  fdatasync?: Fdatasync;
  /** Where checkpoints run; a thread of this process unless told. */
  startThread?: StartCheckpointThread;
  logLimits?: LogLimits;
  /** Where rules, people and grants are kept a second time; nowhere unless told. */
  policyCopy?: string;
}

/** Opens the file, creating it if it is missing; the caller migrates the schema. */
export async function openSqliteDatabase(parts: SqliteDatabaseParts): Promise<SqliteDatabase> {
  const { file, clock } = parts;
  try {
    await prepareDatabaseFile(file);
    const lostLog = findLostLog(file);
    // Closing takes the log away. Where it was lost before, the mark has to tell the next one so: nobody has noted it yet.
    const close = (connection: DatabaseSync) =>
      lostLog ? connection.close() : closeUnmarked(file, () => connection.close());
    const connection = await connect(file, clock, pageSize, close);
    try {
      // SQLite gives its log the mode of the database, unless that is none at all: then everybody could read the log.
      closeToOthers(file);
      return driveSqlite(connection, parts, lostLog);
    } catch (error) {
      close(connection);
      throw error;
    }
  } catch (error) {
    throw asStorageError(error, file);
  }
}

function driveSqlite(
  connection: DatabaseSync,
  parts: SqliteDatabaseParts,
  lostLog: LostLog | undefined,
): SqliteDatabase {
  const { file, clock, fdatasync = promisify(fdatasyncWithCallback) } = parts;
  const wal = openWalFile({ file, fdatasync });
  markOpen(file);
  const sync = createSharedSync({ fdatasync: () => wal.sync() });
  const policy =
    parts.policyCopy === undefined ? undefined : createPolicyKeeper({ connection, file: parts.policyCopy });
  const transactions = createTransactions({ connection, file, watch: policy });
  const { read } = transactions;
  const writes = createWriteQueue({ transactions, refusal, onCommit: () => log.look(), clock });
  const log = createCheckpointer({
    file,
    clock,
    measure: prepareMeasure(connection),
    writes,
    startThread: parts.startThread ?? startCheckpointThread,
    limits: parts.logLimits ?? usualLogLimits,
    onFailedSync: sync.fail,
  });
  const record = createConditionRecord(clock);
  let closed = false;

  function requireOpen(): void {
    if (closed) throw failure("storage/unavailable", "failure.database-closed");
  }

  function refusal(): PincerError | undefined {
    const failed = sync.failure();
    return failed && lostTheDisk(file, failed.error);
  }

  function logProblem(): PincerError | undefined {
    const failed = log.problem();
    return failed && asPincerError(asStorageError(failed.error, file));
  }

  async function write<Result>(
    verb: () => Verb<Result>,
    { sync: when, unless }: WriteOptions<Result>,
  ): Promise<Result> {
    const found = unless && read(unless);
    if (found !== undefined) return found;
    const refused = refusal();
    if (refused) throw refused;
    if (when === "later") return writes.add(verb);
    if (when === "along") return writes.addAlong(verb);
    const { result, changed } =
      when === "now" ? await writes.addCounted(verb) : { result: await writes.add(verb), changed: true };
    const isWaitedFor = typeof when === "function" ? when(result) === "always" : changed;
    if (isWaitedFor) {
      await sync.request().catch((error: unknown) => {
        throw lostTheDisk(file, error);
      });
      if (when === "now") record.wrote();
    }
    return result;
  }

  /** What was thrown is noted, and thrown on. */
  async function noting<Result>(
    note: (error: unknown) => void,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    requireOpen();
    try {
      return await work();
    } catch (error) {
      note(error);
      throw error;
    }
  }

  return {
    lostLog,
    failure: refusal,
    logProblem,
    condition: () => ({ ...record.read(), logProblem: logProblem() }),
    read: (verb) => noting(record.readFailed, () => read(verb)),
    write: (verb, options) => noting(record.writeFailed, () => write(verb, options)),
    tryWrite: () =>
      noting(record.writeFailed, async () => {
        await write(dirtyOnePage, { sync: "always" });
        record.wrote();
      }),
    async lookForRoom() {
      const free = await freeBytes(file).catch(() => Infinity);
      const isCramped = free < leastRoomBytes;
      const reason = `only ${formatBytes(free)} free`;
      record.looked(isCramped ? failure("storage/full", "failure.disk-full", { reason, file }) : undefined);
    },
    async checkPages(signal) {
      requireOpen();
      const found = await checkPages(file, signal);
      record.checked(found);
      return found;
    },
    keepPolicy(before) {
      try {
        return policy?.begin(before, { isTorn: lostLog !== undefined });
      } catch (error) {
        throw asStorageError(error, file);
      }
    },
    forgetDeleted: () => log.between(() => emptyLog(connection, file)),
    async close({ isLossUnnoted = false } = {}) {
      if (closed) return;
      closed = true;
      await writes.idle();
      await log.close();
      await sync.idle();
      wal.close();
      if (isLossUnnoted) connection.close();
      else closeUnmarked(file, () => connection.close());
    },
  };
}

/** What a turn with its messages takes, with some to spare. */
const leastRoomBytes = 512 * 1024;

/** Writing a row over itself would change no page; SQLite compares. Setting this number always writes its page. */
function* dirtyOnePage(): Verb<void> {
  const row = yield* first<{ user_version: number }>("PRAGMA user_version");
  yield* change(`PRAGMA user_version = ${row?.user_version ?? 0}`);
}

/** Never throws. */
function prepareMeasure(connection: DatabaseSync): () => { pages: number; copied: number } {
  const noCheckpoint = connection.prepare("PRAGMA wal_checkpoint(NOOP)");
  let known = { pages: 0, copied: 0 };
  return () => {
    try {
      const row = noCheckpoint.get();
      known = { pages: Number(row?.["log"]), copied: Number(row?.["checkpointed"]) };
    } catch {
      // The next write meets the same error, and can report it.
    }
    return known;
  };
}

/** Deleted rows are overwritten in the database, but the log still has them until it is emptied. */
function emptyLog(connection: DatabaseSync, file: string): void {
  connection.exec("PRAGMA busy_timeout = 200");
  try {
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // Others are reading: the log is emptied when they are done, at the latest by the last to close.
    if (!isPassing(error)) throw asStorageError(error, file);
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
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
