/**
 * Under which name what was signed came first: the name of a delivery is not part of what is signed, so whoever overhears a call could send
 * it again under another one. Kept in memory and bounded; equal names the inbox recognises for good.
 */
import { createHash } from "node:crypto";
import { createRecent } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";

export interface FirstDeliveries {
  /** The name under which this very statement came first within the time; `delivery` itself where it has not come before. */
  nameOf(statement: string, delivery: string, keepMs: number): string;
}

export function createFirstDeliveries({
  clock,
  most = 10_000,
}: {
  clock: Pick<Clock, "now">;
  most?: number;
}): FirstDeliveries {
  const known = createRecent<{ delivery: string; until: number }>(most);
  return {
    nameOf(statement, delivery, keepMs) {
      const key = createHash("sha256").update(statement).digest("base64");
      const first = known.get(key);
      if (first && first.until > clock.now()) return first.delivery;
      known.set(key, { delivery, until: clock.now() + keepMs });
      return delivery;
    },
  };
}
