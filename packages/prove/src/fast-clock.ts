import { systemClock, type Clock } from "../../../src/infra/clock.ts";

export interface ClockPlan {
  /** When it began to run faster, in real time. */
  origin: number;
  speed: number;
  /** How far it was put forward or back since. */
  offsetMs?: number;
}

export interface FastClock extends Clock {
  /** Somebody sets the clock on the wall. Durations and timers do not notice. */
  jump(byMs: number): void;
}

/**
 * Time that runs `speed` times as fast, counted from `origin`: a retry after a minute comes soon, and the next life of the process
 * finds its clock where the last one left it.
 */
export function createFastClock(
  { origin, speed, offsetMs = 0 }: ClockPlan,
  real: Clock = systemClock,
): FastClock {
  let offset = offsetMs;
  return {
    now: () => Math.floor(origin + (real.now() - origin) * speed + offset),
    monotonic: () => Math.floor(real.monotonic() * speed),
    sleep: (ms, signal) => real.sleep(ms / speed, signal),
    after: (ms, call) => real.after(ms / speed, call),
    jump: (byMs) => void (offset += byMs),
  };
}

export interface ClockSetter {
  /** The clock of a life that begins now and runs that fast: it goes on where the last one is. */
  planFor(speed: number): ClockPlan;
  /** For the lives to come. */
  jump(byMs: number): void;
}

/** Keeps what the clock on the wall shows from one life to the next, however fast each of them runs. */
export function createClockSetter(origin: number, speed: number, now: () => number = Date.now): ClockSetter {
  let current = { speed, offsetMs: 0 };
  return {
    planFor(wanted) {
      const offsetMs = current.offsetMs + (now() - origin) * (current.speed - wanted);
      current = { speed: wanted, offsetMs };
      return { origin, ...current };
    },
    jump: (byMs) => void (current.offsetMs += byMs),
  };
}
