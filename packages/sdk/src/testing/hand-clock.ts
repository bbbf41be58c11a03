/** A clock that stands still until a test advances it. Sleepers wake in the order of their times. */
export interface HandClock {
  /** The wall clock. */
  now(): number;
  /** What timers go by: only `advance` moves it. */
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls once after `ms`, unless the function that it answers is called first. */
  after(ms: number, call: () => void): () => void;
  /** Advances the time and wakes the sleepers that are due; resolves when they have run their first steps. */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock by this many milliseconds, forwards or back, as people and time servers do. Wakes nobody. */
  jump(ms: number): void;
  /** How many are asleep or to be called: lets a test wait for its subject to reach its sleep, and see that it left nothing behind. */
  sleeping(): number;
}

export function createHandClock(start = Date.UTC(2026, 0, 1, 12)): HandClock {
  let time = start;
  let set = 0;
  let sleepers: Array<{ at: number; wake: () => void }> = [];

  function callAt(at: number, wake: () => void): () => void {
    const sleeper = { at, wake };
    sleepers.push(sleeper);
    return () => void (sleepers = sleepers.filter((other) => other !== sleeper));
  }

  return {
    now: () => time + set,
    monotonic: () => time,
    jump: (ms) => void (set += ms),
    sleeping: () => sleepers.length,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const forget = callAt(time + ms, resolve);
        signal?.addEventListener("abort", () => {
          forget();
          reject(signal.reason);
        });
      });
    },
    after: (ms, call) => callAt(time + ms, call),
    async advance(ms) {
      const until = time + ms;
      for (;;) {
        const next = sleepers.filter((sleeper) => sleeper.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        time = Math.max(time, next.at);
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        next.wake();
        // Two turns of the loop let the woken one run and, perhaps, go to sleep again.
        await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => setImmediate(resolve));
      }
      time = until;
    },
  };
}
