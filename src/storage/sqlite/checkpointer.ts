/**
 * Keeps the write-ahead log small without blocking this thread. When enough has gathered, a thread copies it into the
 * database while writes go on. That alone never empties a log that is always in use, so when it is large, writes
 * pause while the rest is copied, and the log restarts. A failed checkpoint loses nothing: the log just grows on.
 */
import type { Clock } from "../../infra/clock.ts";
import type { CheckpointThread, StartCheckpointThread } from "./checkpoint-thread.ts";
import { isFailedSync, isPassing } from "./sqlite-errors.ts";

export interface Checkpointer {
  /** Starts what is due. Call it after each commit: it costs next to nothing. */
  look(): void;
  /** Why the last checkpoint failed, if it did. */
  problem(): { error: unknown } | undefined;
  /** Runs `work` at a moment when no checkpoint is running. */
  between<Result>(work: () => Result): Promise<Result>;
  /** Waits for a running checkpoint and ends the thread. Safe to call twice. */
  close(): Promise<void>;
}

/** In pages. */
export interface LogLimits {
  /** Not yet copied: time for copying. */
  copy: number;
  /** Worth a restart. */
  restart: number;
  /** Writes wait until the log has restarted. */
  pause: number;
}

/**
 * Pages have 1 KB, and 4 KB in databases of earlier versions. The first is not less because the thread costs 13 MB while it is there, and because a page that was written ten times is
 * copied once. The second is `journal_size_limit`.
 */
export const usualLogLimits: LogLimits = { copy: 3072, restart: 4096, pause: 8192 };

const idleMs = 5000;

export interface CheckpointerParts {
  file: string;
  clock: Clock;
  /** How many pages the log has, and how many of them are in the database. */
  measure(): { pages: number; copied: number };
  writes: { pause(): void; resume(): void };
  startThread: StartCheckpointThread;
  limits: LogLimits;
  /** Nobody knows any more what is on the disk. */
  onFailedSync(error: unknown): void;
}

export function createCheckpointer(parts: CheckpointerParts): Checkpointer {
  const { file, clock, measure, writes, startThread, limits } = parts;
  let thread: CheckpointThread | undefined;
  let leaving: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let resting = new AbortController();
  let failed: { error: unknown } | undefined;
  let closed = false;
  /** Not before the log has that many pages: after each run, so that others in the way or a full disk are not asked all the time. */
  let copyFrom = 0;
  let restartFrom = 0;
  let pagesBefore = 0;

  function look(): void {
    if (closed) return;
    const { pages, copied } = measure();
    if (pages < pagesBefore) copyFrom = restartFrom = 0;
    pagesBefore = pages;
    if (pages >= limits.pause && pages >= restartFrom) writes.pause();
    else if (pages - copied < limits.copy || pages < copyFrom) return;
    running ??= tend().finally(() => {
      running = undefined;
      look();
    });
  }

  async function tend(): Promise<void> {
    resting.abort(workAgain);
    try {
      thread ??= startThread(file);
      await thread.run("copy");
      const { pages, copied } = measure();
      const isWorthIt = pages >= limits.restart || pages === copied;
      if (isWorthIt && pages >= restartFrom) await restart(thread);
      failed = undefined;
    } catch (error) {
      await meet(error);
    } finally {
      copyFrom = measure().pages + limits.copy;
      writes.resume();
      void endWhenIdle();
    }
  }

  async function restart(thread: CheckpointThread): Promise<void> {
    writes.pause();
    const before = measure().pages;
    await thread.run("restart");
    // Others are in the way: a pause for each of our writes would not drive them out.
    if (measure().pages >= before) restartFrom = before + limits.restart;
  }

  async function meet(error: unknown): Promise<void> {
    restartFrom = measure().pages + limits.restart;
    if (isPassing(error)) return;
    failed = { error };
    if (isFailedSync(error)) parts.onFailedSync(error);
    await endThread();
  }

  async function endThread(): Promise<void> {
    if (thread) leaving = thread.end();
    thread = undefined;
    await leaving;
  }

  /** An idle thread costs memory for nothing. */
  async function endWhenIdle(): Promise<void> {
    resting = new AbortController();
    try {
      await clock.sleep(idleMs, resting.signal);
    } catch {
      return; // there is work again, or the end
    }
    await endThread();
  }

  async function between<Result>(work: () => Result): Promise<Result> {
    await running;
    return running ? between(work) : work();
  }

  return {
    look,
    problem: () => failed,
    between,
    async close() {
      closed = true;
      resting.abort(workAgain);
      await running;
      resting.abort(workAgain);
      await endThread();
    },
  };
}

/** A ready-made reason: making one costs a stack trace. */
const workAgain = new Error("there is work again");
