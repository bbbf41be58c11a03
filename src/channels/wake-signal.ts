/** Waits for a time or a signal, whichever comes first. A signal that arrives while nobody waits is kept. */
import type { Clock } from "../infra/clock.ts";
import { noLonger } from "../infra/no-longer.ts";

export interface WakeSignal {
  ring(): void;
  /** Whether it was signalled since the last `hush`. */
  isRung(): boolean;
  hush(): void;
  /**
   * Resolves at the signal (at once if it was already given) or at that time; without a time only at the signal.
   * Never throws.
   */
  wait(until: number | undefined): Promise<void>;
}

/** Timers are limited to some weeks; the caller wakes early, checks, and waits again. */
const longestSleepMs = 3_600_000;

export function createWakeSignal(clock: Clock): WakeSignal {
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
          : clock.sleep(Math.min(Math.max(0, until - clock.monotonic()), longestSleepMs), timer.signal).catch(
              // Aborted below, because the signal came first.
              () => undefined,
            );
      await Promise.race([rung, asleep]);
      wake = undefined;
      timer.abort(noLonger);
    },
  };
}
