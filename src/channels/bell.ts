/** Lets somebody wait for a time or for a sign, whichever comes first. A sign given while nobody waits is not lost. */
import type { Clock } from "../infra/clock.ts";
import { noLonger } from "../infra/no-longer.ts";

export interface Bell {
  ring(): void;
  /** Whether it rang since the last `hush`. */
  isRung(): boolean;
  hush(): void;
  /** Resolves when it rings, at once if it has rung, or at that time; without one it waits for the ring alone. Never throws. */
  wait(until: number | undefined): Promise<void>;
}

/** Timers cannot be set further ahead than some weeks; whoever wakes early looks again and waits on. */
const longestSleepMs = 3_600_000;

export function createBell(clock: Clock): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    isRung: () => isRung,
    hush() {
      isRung = false;
    },
    async wait(until) {
      if (isRung) return;
      const timer = new AbortController();
      const rung = new Promise<void>((resolve) => (wake = resolve));
      const asleep =
        until === undefined
          ? rung
          : clock.sleep(Math.min(Math.max(0, until - clock.now()), longestSleepMs), timer.signal).catch(
              // Aborted below, because the bell rang first.
              () => undefined,
            );
      await Promise.race([rung, asleep]);
      wake = undefined;
      timer.abort(noLonger);
    },
  };
}
