/** Keeps the sends of one account apart, whichever conversations they belong to. */
import type { Clock } from "../infra/clock.ts";

export interface AccountPace {
  /** Resolves when it is this caller's turn; callers go in the order in which they came. Rejects when `signal` aborts. */
  take(account: string, paceMs: number, signal: AbortSignal): Promise<void>;
}

export function createAccountPace(clock: Clock): AccountPace {
  const nextFree = new Map<string, number>();
  return {
    async take(account, paceMs, signal) {
      if (paceMs <= 0) return;
      const now = clock.monotonic();
      const mine = Math.max(now, nextFree.get(account) ?? 0);
      nextFree.set(account, mine + paceMs);
      if (mine > now) await clock.sleep(mine - now, signal);
    },
  };
}
