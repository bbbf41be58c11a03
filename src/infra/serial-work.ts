/** Runs work one at a time, in the order in which it came. */
export interface SerialWork {
  /**
   * Undefined, and the work is not begun, when the signal aborts before its turn comes, or with `ifFree` when something else is at it.
   * Throws what the work throws.
   */
  run<Value>(
    work: () => Promise<Value>,
    how?: { ifFree?: boolean; signal?: AbortSignal },
  ): Promise<Value | undefined>;
}

export function createSerialWork(): SerialWork {
  let last: Promise<void> = Promise.resolve();
  let count = 0;
  return {
    async run(work, { ifFree = false, signal } = {}) {
      if (signal?.aborted || (ifFree && count > 0)) return undefined;
      const before = count > 0 ? last : undefined;
      const { promise: mine, resolve: leave } = Promise.withResolvers<void>();
      // A caller that leaves early does not let the next one start before its time.
      last = before ? before.then(() => mine) : mine;
      count++;
      try {
        if (before) await endOrAbort(before, signal);
        return signal?.aborted ? undefined : await work();
      } finally {
        count--;
        leave();
      }
    },
  };
}

async function endOrAbort(end: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return end;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([end, aborted]);
  signal.removeEventListener("abort", onAbort);
}
