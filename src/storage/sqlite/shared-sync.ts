/**
 * Many commits, few syncs. A sync covers everything written before it began, so requests during one share the next.
 */
export interface SharedSync {
  /**
   * Resolves when a sync that began after this call has finished. Rejects with the error of a failed sync, and so
   * does every later request: after a failed sync the state of the disk is unknown.
   */
  request(): Promise<void>;
  /** Resolves when every sync asked for so far has ended; never rejects. */
  idle(): Promise<void>;
  /** Another sync of the same data has failed: every later request rejects with that error. */
  fail(error: unknown): void;
  /** The error that ended it, if one did. */
  failure(): { error: unknown } | undefined;
}

export function createSharedSync({ fdatasync }: { fdatasync: () => Promise<void> }): SharedSync {
  let failed: { error: unknown } | undefined;
  /** Requested but not begun, so it covers requests until then. */
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
