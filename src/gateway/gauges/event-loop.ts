/**
 * How late the event loop is: a timer in libuv that costs next to nothing, and a check that notices when everything
 * stood still.
 */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Clock } from "../../infra/clock.ts";

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>;

export interface LoopDelay {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

export interface EventLoopWatch {
  /** Within the last minute or two. */
  read(): LoopDelay;
  /** Whether it stood still for more than some seconds a moment ago. */
  isStuck(): boolean;
  /** Looks until the signal aborts. Never throws. */
  watch(signal: AbortSignal): Promise<void>;
}

const resolutionMs = 20;
const lookEveryMs = 5000;
const windowMs = 60_000;
const stuckMs = 5000;
/** How long it is reported. */
const toldForMs = 15_000;

export function createEventLoopWatch({
  clock,
  elapsed = () => performance.now(),
}: {
  clock: Clock;
  /** Milliseconds that passed while the machine was awake. */
  elapsed?: () => number;
}): EventLoopWatch {
  let histogram: IntervalHistogram | undefined;
  let before: LoopDelay | undefined;
  let stuckAt: number | undefined;
  let lookedAt = elapsed();

  return {
    read() {
      const now = histogram ? delayOf(histogram) : nothing;
      return before ? { ...worse(now, before) } : now;
    },
    // Asked in the very moment in which it goes on, nobody has looked yet.
    isStuck: () =>
      elapsed() - lookedAt > lookEveryMs + stuckMs ||
      (stuckAt !== undefined && elapsed() - stuckAt < toldForMs),
    async watch(signal) {
      histogram = monitorEventLoopDelay({ resolution: resolutionMs });
      histogram.enable();
      lookedAt = elapsed();
      let since = lookedAt;
      try {
        for (;;) {
          await clock.sleep(lookEveryMs, signal);
          const now = elapsed();
          if (now - lookedAt > lookEveryMs + stuckMs) stuckAt = now;
          lookedAt = now;
          if (now - since < windowMs) continue;
          since = now;
          before = delayOf(histogram);
          histogram.reset();
        }
      } catch {
        // Stopped.
      } finally {
        histogram.disable();
      }
    },
  };
}

const nothing: LoopDelay = { p50Ms: 0, p99Ms: 0, maxMs: 0 };

/** The timer itself takes its resolution; what is above it is late. */
function delayOf(histogram: IntervalHistogram): LoopDelay {
  if (histogram.count === 0) return nothing;
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  return {
    p50Ms: late(histogram.percentile(50)),
    p99Ms: late(histogram.percentile(99)),
    maxMs: late(histogram.max),
  };
}

const worse = (one: LoopDelay, other: LoopDelay): LoopDelay => ({
  p50Ms: Math.max(one.p50Ms, other.p50Ms),
  p99Ms: Math.max(one.p99Ms, other.p99Ms),
  maxMs: Math.max(one.maxMs, other.maxMs),
});
