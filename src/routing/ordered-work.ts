/**
 * Work that keeps its order within a key and runs in parallel between keys. Failed work is retried with growing
 * delays, and holds up only later work under the same key.
 */
import type { Clock } from "../infra/clock.ts";

export interface OrderedWork {
  /** Resolves when the work is done, or when it was left undone because of `close`. Never rejects. */
  add(key: string, work: () => Promise<void>): Promise<void>;
  /** Whether something is under way or waiting under this key. */
  isBusy(key: string): boolean;
  size(): number;
  /** Resolves when nothing is left. */
  idle(): Promise<void>;
  /** Finishes the work under way, unless it waits for another try, and leaves the rest undone. */
  close(): Promise<void>;
}

interface Step {
  work: () => Promise<void>;
  done: () => void;
}

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

export function createOrderedWork(parts: { clock: Clock; onError(error: unknown): void }): OrderedWork {
  const { clock, onError } = parts;
  const chains = new Map<string, Step[]>();
  const closing = new AbortController();
  let idlers: Array<() => void> = [];

  async function persist(work: () => Promise<void>): Promise<void> {
    for (
      let pauseMs = firstPauseMs;
      !closing.signal.aborted;
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    ) {
      try {
        return await work();
      } catch (error) {
        onError(error);
      }
      // Ends early only because of `close`.
      await clock.sleep(pauseMs, closing.signal).catch(() => {});
    }
  }

  async function follow(key: string, chain: Step[]): Promise<void> {
    for (let next = chain[0]; next; next = chain[0]) {
      await persist(next.work);
      chain.shift();
      if (chain.length === 0) chains.delete(key);
      next.done();
    }
    if (chains.size > 0) return;
    for (const wake of idlers) wake();
    idlers = [];
  }

  const idle = () =>
    new Promise<void>((resolve) => {
      if (chains.size === 0) resolve();
      else idlers.push(resolve);
    });

  return {
    add(key, work) {
      return new Promise((resolve) => {
        const step: Step = { work, done: resolve };
        const chain = chains.get(key);
        if (chain) return void chain.push(step);
        const begun = [step];
        chains.set(key, begun);
        void follow(key, begun);
      });
    },
    isBusy: (key) => chains.has(key),
    size: () => [...chains.values()].reduce((sum, chain) => sum + chain.length, 0),
    idle,
    close() {
      closing.abort();
      return idle();
    },
  };
}
