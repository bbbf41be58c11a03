/** Waits that one call ends, all of them: like `sleep` with an AbortController, for a fraction of the cost. */
import type { Clock } from "./clock.ts";

export interface Waits {
  /** Resolves with true after `ms`, with false as soon as the waits are ended, or if they were before. Never rejects. */
  wait(ms: number): Promise<boolean>;
  /** Ends what waits and what will. Safe to call twice. */
  end(): void;
  isEnded(): boolean;
}

export function createWaits(clock: Pick<Clock, "after">): Waits {
  const waiting = new Set<() => void>();
  let isEnded = false;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (isEnded) return resolve(false);
        const cancel = clock.after(ms, () => {
          waiting.delete(giveUp);
          resolve(true);
        });
        const giveUp = () => {
          cancel();
          resolve(false);
        };
        waiting.add(giveUp);
      }),
    end() {
      isEnded = true;
      for (const giveUp of waiting) giveUp();
      waiting.clear();
    },
    isEnded: () => isEnded,
  };
}
