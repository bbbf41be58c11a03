import { systemClock, type Clock } from "../../../src/infra/clock.ts";

/**
 * Time that runs `speed` times as fast, counted from `origin`: a retry after a minute comes soon, and the next life of the process
 * finds its clock where the last one left it.
 */
export function createFastClock(
  { origin, speed }: { origin: number; speed: number },
  real: Clock = systemClock,
): Clock {
  return {
    now: () => Math.floor(origin + (real.now() - origin) * speed),
    monotonic: () => Math.floor(real.monotonic() * speed),
    sleep: (ms, signal) => real.sleep(ms / speed, signal),
    after: (ms, call) => real.after(ms / speed, call),
  };
}
