/**
 * Many commits, few syncs. A sync covers everything that was written before it began, so whoever asks
 * while one is running waits for the next one, together with everyone else who asked meanwhile.
 */
export interface SharedSync {
  /**
   * Resolves when a sync that began after this call has finished. Rejects with the sync's own error when it
   * failed; from then on every request rejects with it: after a failed sync nobody knows what is on the disk.
   */
  request(): Promise<void>;
  /** Resolves when every sync asked for so far has ended; never rejects. */
  idle(): Promise<void>;
  /** Somebody else's sync of the same data has failed: from now on every request rejects with that error. */
  fail(error: unknown): void;
  /** The error that ended it, if one did. */
  failure(): { error: unknown } | undefined;
}

export function createSharedSync({ fdatasync }: { fdatasync: () => Promise<void> }): SharedSync {
  let failed: { error: unknown } | undefined;
  /** Has been asked for but has not begun, so it covers whoever asks now. */
  let waiting: Promise<void> | undefined;
  let running: Promise<void> | undefined;

  async function runNext(previous: Promise<void> | undefined): Promise<void> {
    await previous?.catch(() => {
      // Its own waiters hear of it; here `failed` says it.
    });
    // One turn of the loop, so that the writes that are already on their way share this sync.
    await new Promise((resolve) => setImmediate(resolve));
    running = waiting;
    waiting = undefined;
    if (failed) throw failed.error;
    try {
      await fdatasync();
    } catch (error) {
      failed = { error };
      throw error;
    }
  }

  return {
    request() {
      if (failed) return Promise.reject(failed.error);
      waiting ??= runNext(running);
      return waiting;
    },
    async idle() {
      // The one that waits is the last to run. A failure has reached those who asked for the sync.
      await (waiting ?? running)?.catch(() => {});
    },
    fail: (error) => void (failed ??= { error }),
    failure: () => failed,
  };
}
