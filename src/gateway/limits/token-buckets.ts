/**
 * Token buckets, one per key, refilled over time: requests on an empty one are refused until it has refilled. The
 * number of keys is bounded: a caller with a new key every time costs no memory.
 */
import type { Clock } from "../../infra/clock.ts";

export type Taken = { ok: true } | { ok: false; retryAfterSeconds: number };

export interface TokenBuckets {
  /** Takes one, or says how long there is none. A refused one costs nothing. */
  take(key: string): Taken;
  /** What `take` would answer; takes nothing. */
  peek(key: string): Taken;
}

interface Bucket {
  left: number;
  atMs: number;
}

const minuteMs = 60_000;

export function createTokenBuckets({
  clock,
  perMinute,
  mostKeys = 10_000,
}: {
  clock: Pick<Clock, "monotonic">;
  /** How many a full one holds, and how many come back within a minute; asked each time. */
  perMinute(): number;
  mostKeys?: number;
}): TokenBuckets {
  // In the order of last use, the oldest first.
  const buckets = new Map<string, Bucket>();

  function filled(key: string): Bucket {
    const most = perMinute();
    const nowMs = clock.monotonic();
    const bucket = buckets.get(key);
    if (!bucket) return { left: most, atMs: nowMs };
    // A clock that was set back gives nothing and takes nothing.
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    return { left: Math.min(most, bucket.left + (passedMs * most) / minuteMs), atMs: nowMs };
  }

  const answer = ({ left }: Bucket): Taken =>
    left >= 1
      ? { ok: true }
      : { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(((1 - left) * 60) / perMinute())) };

  function keep(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    // The one that nobody has used for longest has filled up most.
    const [oldest] = buckets.keys();
    if (buckets.size > mostKeys && oldest !== undefined) buckets.delete(oldest);
  }

  return {
    take(key) {
      const bucket = filled(key);
      const taken = answer(bucket);
      keep(key, taken.ok ? { ...bucket, left: bucket.left - 1 } : bucket);
      return taken;
    },
    peek: (key) => answer(filled(key)),
  };
}
