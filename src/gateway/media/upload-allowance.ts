/**
 * How much one caller may upload within an hour. A full store deletes its oldest files: endless uploads would push out
 * those of others, and many small files fill a disk as well as few large ones.
 */
import type { Clock } from "../../infra/clock.ts";

export interface UploadAllowance {
  /** Undefined where it is allowed, and counted; else in how many seconds it would be. */
  take(callerId: string, bytes: number): number | undefined;
}

const windowMs = 3_600_000;
/** What a file takes on a disk, however small it is. */
const leastBytes = 4096;

export function createUploadAllowance({
  clock,
  mostBytes,
}: {
  clock: Pick<Clock, "monotonic">;
  /** As it is now. */
  mostBytes(): number;
}): UploadAllowance {
  const windows = new Map<string, { untilMs: number; bytes: number }>();
  return {
    take(callerId, given) {
      const now = clock.monotonic();
      for (const [id, { untilMs }] of windows) if (untilMs <= now) windows.delete(id);
      const { untilMs, bytes } = windows.get(callerId) ?? { untilMs: now + windowMs, bytes: 0 };
      const taken = bytes + Math.max(given, leastBytes);
      if (taken > mostBytes()) return Math.ceil((untilMs - now) / 1000);
      windows.set(callerId, { untilMs, bytes: taken });
      return undefined;
    },
  };
}
