/** How long turns have waited in place. Limits on work do not count this time. */
import type { Clock } from "../../infra/clock.ts";

export interface WaitingTimes {
  /** The returned function ends the pause; call it once. Overlapping pauses of one turn count once. */
  pause(turnId: string): () => void;
  waitedMs(turnId: string): number;
  forget(turnId: string): void;
}

interface Waiting {
  total: number;
  since: number;
  count: number;
}

export function createWaitingTimes(clock: Clock): WaitingTimes {
  const turns = new Map<string, Waiting>();
  return {
    pause(turnId) {
      const waiting = turns.get(turnId) ?? { total: 0, since: 0, count: 0 };
      turns.set(turnId, waiting);
      if (waiting.count++ === 0) waiting.since = clock.monotonic();
      return () => {
        if (--waiting.count === 0) waiting.total += clock.monotonic() - waiting.since;
      };
    },
    waitedMs(turnId) {
      const waiting = turns.get(turnId);
      if (!waiting) return 0;
      return waiting.total + (waiting.count > 0 ? clock.monotonic() - waiting.since : 0);
    },
    forget: (turnId) => void turns.delete(turnId),
  };
}
