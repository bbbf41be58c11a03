/**
 * Checkpoints (copying the log into the database) on a separate thread: they wait for the disk, which the main thread
 * must not. SQLite shares its locks between the connections of a process, so a second one here is safe.
 */
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { journalBytes } from "./sqlite-connection.ts";

export interface CheckpointThread {
  /**
   * `copy` copies what it can beside running writes. `restart` copies the rest and restarts the log; it holds the
   * write lock, and returns `busy` if others use the log. Rejects with SQLite's error, or if the thread is gone. One
   * at a time.
   */
  run(mode: CheckpointMode): Promise<{ busy: boolean }>;
  /** Resolves when it has closed its connection and ended. Safe to call twice. */
  end(): Promise<void>;
}

export type CheckpointMode = "copy" | "restart";
export type StartCheckpointThread = (file: string) => CheckpointThread;

/** How long a restart waits for readers of the log; writers wait as long. */
const busyMs = 100;

/** What keeps it from working rejects the first run. */
export const startCheckpointThread: StartCheckpointThread = (file) => {
  const url = pathToFileURL(file);
  // Never creates: a file that was moved away must not come back empty.
  url.searchParams.set("mode", "rw");
  const worker = new Worker(threadCode, {
    eval: true,
    workerData: { url: url.href, busyMs, journalBytes },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32, stackSizeMb: 1 },
  });
  /** The run that waits for an answer. */
  let waiting: { resolve(answer: { busy: boolean }): void; reject(error: unknown): void } | undefined;
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      hasEnded = true;
      answered()?.reject(threadHasEnded());
      resolve();
    });
  });
  worker.on("error", (error) => answered()?.reject(error));
  worker.on("message", (answer: Answer) => {
    if ("errcode" in answer) answered()?.reject(sqliteError(answer));
    else answered()?.resolve(answer);
  });
  // Only a run keeps the process alive.
  worker.unref();

  function answered(): typeof waiting {
    const run = waiting;
    waiting = undefined;
    worker.unref();
    return run;
  }

  function ask(request: CheckpointMode | "end"): void {
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request);
  }

  return {
    run: (mode) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(threadHasEnded());
        waiting = { resolve, reject };
        ask(mode);
      }),
    async end() {
      if (!hasEnded) ask("end");
      await ended;
    },
  };
};

const threadHasEnded = () => new Error("the checkpoint thread has ended");

type Answer = { busy: boolean } | { message: string; errcode: number };

const sqliteError = ({ message, errcode }: Extract<Answer, { errcode: number }>) =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });

/**
 * Plain JavaScript as text, so that it runs from the sources and from the bundle alike. After a restart the first write gives the log
 * its new header and waits for the disk; it is made here, by writing a number over itself, so that nobody else waits.
 */
const threadCode = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  let connection;

  function open() {
    connection = new DatabaseSync(workerData.url, { timeout: workerData.busyMs });
    connection.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = " + workerData.journalBytes);
  }

  function checkpoint(mode) {
    const { busy } = connection.prepare("PRAGMA wal_checkpoint(" + mode + ")").get();
    return busy === 1;
  }

  function beginLog() {
    connection.exec("BEGIN IMMEDIATE");
    const { user_version } = connection.prepare("PRAGMA user_version").get();
    connection.exec("PRAGMA user_version = " + user_version);
    connection.exec("COMMIT");
  }

  parentPort.on("message", (mode) => {
    if (mode === "end") {
      connection?.close();
      parentPort.close();
      return;
    }
    try {
      if (!connection) open();
      const busy = checkpoint(mode === "copy" ? "PASSIVE" : "RESTART");
      if (mode === "restart" && !busy) beginLog();
      parentPort.postMessage({ busy });
    } catch (error) {
      parentPort.postMessage({ message: String(error.message), errcode: error.errcode ?? 1 });
    }
  });
`;
