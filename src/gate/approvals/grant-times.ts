/**
 * A grant for a time ends by two clocks: at its stored end, and when so much time has passed in this process. A clock
 * that is set, and a restart, can make it shorter and never longer.
 */
import { createRecent } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { whileMinutes, type Grant } from "../../storage/approvals/approvals.ts";

export interface GrantTimes {
  isValid(grant: Pick<Grant, "id" | "createdAt" | "expiresAt">): boolean;
}

/** One that is forgotten counts from its stored end again. */
const mostKnown = 1000;
const longestMs = whileMinutes * 60_000;

export function createGrantTimes(clock: Pick<Clock, "now" | "monotonic">): GrantTimes {
  const ends = createRecent<number>(mostKnown);
  return {
    isValid({ id, createdAt, expiresAt }) {
      if (expiresAt === null) return true;
      const leftMs = Math.min(longestMs, Date.parse(expiresAt) - clock.now());
      const name = `${id} ${createdAt}`;
      const end = Math.min(ends.get(name) ?? Infinity, clock.monotonic() + leftMs);
      ends.set(name, end);
      return leftMs > 0 && clock.monotonic() < end && Date.parse(createdAt) <= clock.now();
    },
  };
}
