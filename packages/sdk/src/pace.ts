/** For networks that disconnect clients that write too fast: the first few at once, then one after the other. */
import type { ChannelHost } from "./channel.ts";
import { SendError } from "./send-error.ts";

export interface Pace {
  /** Throws SendError `rate-limited` where the next one would wait longer: the host waits instead, and others may go before. */
  assertWithin(ms: number): void;
  /** Resolves when the caller may go, in the order in which they came. Rejects when the signal aborts. */
  take(signal: AbortSignal): Promise<void>;
}

export function createPace(
  clock: ChannelHost["clock"],
  { everyMs, burst }: { everyMs: number; /** How many go at once after a pause. */ burst: number },
): Pace {
  /** When everything that went so far would have gone, had there been no haste. */
  let spentUntil = -Infinity;
  const waitMs = () => Math.max(0, spentUntil - (burst - 1) * everyMs - clock.monotonic());
  return {
    assertWithin(ms) {
      const retryAfterMs = waitMs();
      if (retryAfterMs > ms) throw new SendError("rate-limited", "other messages go first", { retryAfterMs });
    },
    async take(signal) {
      signal.throwIfAborted();
      const mine = waitMs();
      spentUntil = Math.max(spentUntil, clock.monotonic()) + everyMs;
      if (mine > 0) await clock.sleep(mine, signal);
    },
  };
}
