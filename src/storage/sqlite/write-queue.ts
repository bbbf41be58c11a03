/**
 * Writes in the order in which they were asked for. Those that come in one turn of the event loop share a transaction: a commit
 * writes every page that it touches, and neighbours touch the same ones. What nobody waits for comes along with the next that does.
 * A verb that throws undoes only itself.
 */
import { PincerError } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { Verb } from "./database.ts";
import type { Transactions } from "./sqlite-transactions.ts";

export interface WriteQueue {
  /** Resolves after the commit. Rejects with what the verb or the commit threw. */
  add<Result>(verb: () => Verb<Result>): Promise<Result>;
  /** The same, with the next that is added otherwise, or after a short while. */
  addAlong<Result>(verb: () => Verb<Result>): Promise<Result>;
  /** As `add`; `changed` says whether the verb changed any row, which costs it two statements more. */
  addCounted<Result>(verb: () => Verb<Result>): Promise<Written<Result>>;
  /** Nothing is written until `resume`; what is added meanwhile waits. Safe to call twice. */
  pause(): void;
  resume(): void;
  /** Writes what waits to come along, too. Resolves when all that was added has been written or has failed. */
  idle(): Promise<void>;
}

export interface Written<Result> {
  result: Result;
  changed: boolean;
}

interface Job {
  work(): Verb<void>;
  succeed(): void;
  fail(error: unknown): void;
}

/** Bound how long one transaction keeps the thread. */
const mostAtOnce = 24;
const longestMs = 5;

/** How long a write waits for others to share its commit: others wait this long for a lease that was given back. */
const patienceMs = 50;

export function createWriteQueue({
  transactions: { transact, changes },
  refusal,
  onCommit,
  clock,
  now = () => performance.now(),
}: {
  transactions: Pick<Transactions, "transact" | "changes">;
  /** Why nothing may be written any more, if so. */
  refusal(): PincerError | undefined;
  onCommit(): void;
  clock: Pick<Clock, "after">;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}): WriteQueue {
  const jobs: Job[] = [];
  let idlers: Array<() => void> = [];
  let paused = false;
  let scheduled = false;
  /** Ends the wait of what comes along. */
  let stopWaiting: (() => void) | undefined;

  function schedule(): void {
    if (scheduled || paused || jobs.length === 0) return;
    scheduled = true;
    setImmediate(writeNext);
  }

  function writeNext(): void {
    scheduled = false;
    if (paused) return;
    const rest = commit(jobs.splice(0, mostAtOnce));
    jobs.unshift(...rest);
    if (jobs.length > 0) return schedule();
    for (const wake of idlers) wake();
    idlers = [];
  }

  /** Answers those that there was no time for. */
  function commit(group: readonly Job[]): readonly Job[] {
    const began = now();
    let done = 0;
    try {
      const refused = refusal();
      if (refused) throw refused;
      transact("BEGIN IMMEDIATE", function* () {
        for (const job of group) {
          yield* job.work();
          done++;
          if (now() - began >= longestMs) return;
        }
      });
    } catch (error) {
      // What the world does to storage it does to all of them; what one of them threw is no matter of the others.
      const isShared = error instanceof PincerError && error.domain === "storage";
      if (isShared || group.length === 1) for (const job of group) job.fail(error);
      else for (const job of group) commit([job]);
      return [];
    }
    for (const job of group.slice(0, done)) job.succeed();
    onCommit();
    return group.slice(done);
  }

  function enter<Result>(verb: () => Verb<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      let written: { result: Result } | undefined;
      jobs.push({
        *work() {
          written = { result: yield* verb() };
        },
        succeed: () => written && resolve(written.result),
        fail: reject,
      });
    });
  }

  function add<Result>(verb: () => Verb<Result>): Promise<Result> {
    const written = enter(verb);
    schedule();
    return written;
  }

  /** One wait at a time: what is added during it waits less. */
  function waitAWhile(): void {
    if (stopWaiting || scheduled) return;
    stopWaiting = clock.after(patienceMs, () => {
      stopWaiting = undefined;
      schedule();
    });
  }

  return {
    add,
    addAlong(verb) {
      const written = enter(verb);
      waitAWhile();
      return written;
    },
    addCounted: <Result>(verb: () => Verb<Result>) =>
      add<Written<Result>>(function* () {
        const before = changes();
        const result = yield* verb();
        return { result, changed: changes() !== before };
      }),
    pause: () => void (paused = true),
    resume() {
      paused = false;
      schedule();
    },
    idle() {
      stopWaiting?.();
      stopWaiting = undefined;
      schedule();
      return jobs.length === 0 ? Promise.resolve() : new Promise<void>((resolve) => idlers.push(resolve));
    },
  };
}
