/**
 * Lets the event loop turn while many things are done at once. What resumes together, such as all conversations after a restart, would
 * otherwise hold the thread until the last of it has gone on, and nothing is heard meanwhile.
 *
 * To be asked right before a piece of work, with nothing awaited in between:
 * `while (loopYield.isSpent()) await loopYield.turned();`
 */
export interface LoopYield {
  /** Whether the thread has been held long enough that others should run. */
  isSpent(): boolean;
  /** Resolves when the event loop has turned. */
  turned(): Promise<void>;
}

interface LoopYieldParts {
  /** How long the thread may be held, in milliseconds. */
  longestMs?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  /** Calls back when the event loop has turned. */
  afterTurn?: (then: () => void) => void;
}

export function createLoopYield({
  longestMs = 5,
  now = () => performance.now(),
  afterTurn = setImmediate,
}: LoopYieldParts = {}): LoopYield {
  let held: { since: number; turned: Promise<void> } | undefined;

  const hold = () => (held ??= begin());

  function begin(): { since: number; turned: Promise<void> } {
    const { promise: turned, resolve } = Promise.withResolvers<void>();
    afterTurn(() => {
      held = undefined;
      resolve();
    });
    return { since: now(), turned };
  }

  return {
    isSpent: () => now() - hold().since >= longestMs,
    turned: () => hold().turned,
  };
}
