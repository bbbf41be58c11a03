/**
 * Under which delivery id a signed call arrived first. The delivery id is not signed, so an eavesdropper could repeat
 * a call under another one. Kept in memory and bounded; the inbox recognises equal ids for good.
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
  clock: Pick<Clock, "monotonic">;
  most?: number;
}): FirstDeliveries {
  const known = createRecent<{ delivery: string; until: number }>(most);
  return {
    nameOf(statement, delivery, keepMs) {
      const key = createHash("sha256").update(statement).digest("base64");
      const first = known.get(key);
      if (first && first.until > clock.monotonic()) return first.delivery;
      known.set(key, { delivery, until: clock.monotonic() + keepMs });
      return delivery;
    },
  };
}
