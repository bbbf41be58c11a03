/**
 * Runs the index thread: starts it on demand, and ends it after an idle time. Most of the time it is not needed, and
 * costs nothing.
 */
import type { Clock } from "../../infra/clock.ts";
import type { MemoryThread } from "../index/memory-thread.ts";

export interface IndexRunner {
  /** Rejects with what the work throws. A thread that broke is replaced the next time. */
  use<Result>(work: (index: MemoryThread) => Promise<Result>): Promise<Result>;
  isRunning(): boolean;
  /** Ends the thread, so that the next use starts it with other settings. */
  renew(): Promise<void>;
  /** Waits for what runs. Safe to call twice; nothing may be used afterwards. */
  close(): Promise<void>;
}

export interface IndexRunnerParts {
  /** `onExit` is called when it has ended for whatever reason. */
  start(onExit: () => void): Promise<MemoryThread>;
  clock: Pick<Clock, "sleep">;
  /** How long it stays without work. */
  idleMs: number;
}

export function createIndexRunner({ start, clock, idleMs }: IndexRunnerParts): IndexRunner {
  let thread: Promise<MemoryThread> | undefined;
  let users = 0;
  let idle: AbortController | undefined;
  let everybodyGone: PromiseWithResolvers<void> | undefined;

  const isUnused = () => users === 0;

  function open(): Promise<MemoryThread> {
    if (thread) return thread;
    const opening = start(() => {
      if (thread === opening) thread = undefined;
    });
    thread = opening;
    // What cannot be started now may be startable later.
    opening.catch(() => {
      if (thread === opening) thread = undefined;
    });
    return opening;
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    // One that never started has nothing to close.
    await (await ending?.catch(() => undefined))?.close();
  }

  function rest(): void {
    everybodyGone?.resolve();
    everybodyGone = undefined;
    const resting = new AbortController();
    idle = resting;
    clock.sleep(idleMs, resting.signal).then(
      () => (users === 0 ? end().catch(() => undefined) : undefined),
      () => undefined, // somebody came
    );
  }

  async function whenUnused(): Promise<void> {
    for (; !isUnused();) await (everybodyGone ??= Promise.withResolvers<void>()).promise;
    idle?.abort(new Error("ended by hand"));
    await end();
  }

  return {
    async use(work) {
      users++;
      idle?.abort(new Error("in use"));
      try {
        return await work(await open());
      } finally {
        users--;
        if (users === 0) rest();
      }
    },
    isRunning: () => thread !== undefined,
    renew: whenUnused,
    close: whenUnused,
  };
}
