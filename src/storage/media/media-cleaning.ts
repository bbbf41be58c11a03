/** Which media to delete: first what was unused for long, then the oldest until the rest fits. */
import type { Kept, MediaBlobs } from "./media-files.ts";

export interface MediaCleaning {
  removed: number;
  removedBytes: number;
  /** What interrupted writes had left. */
  leftovers: number;
  kept: number;
  keptBytes: number;
  /** Files that should have gone and could not be removed; the next cleaning tries again. */
  failed: number;
  /** What was in the way of the first of them. */
  firstError?: unknown;
}

const dayMs = 24 * 60 * 60_000;
/** No write takes that long. */
const leftoverAfterMs = 60 * 60_000;

/** Throws only when a directory cannot be read, and has then removed nothing. */
export async function cleanMedia({
  blobs,
  limits: { keepDays, maxBytes },
  now,
  spared,
}: {
  blobs: Pick<MediaBlobs, "list" | "remove" | "removeLeftover">;
  limits: { keepDays: number; maxBytes: number };
  now: number;
  /** Digests that stay. */
  spared: ReadonlySet<string>;
}): Promise<MediaCleaning> {
  const { kept, leftovers } = await blobs.list();
  const total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  const done: MediaCleaning = {
    removed: 0,
    removedBytes: 0,
    leftovers: 0,
    kept: kept.length,
    keptBytes: total,
    failed: 0,
  };

  for (const { file, writtenAt } of leftovers) {
    if (now - writtenAt <= leftoverAfterMs) continue;
    if (await attempt(() => blobs.removeLeftover(file).then(() => true))) done.leftovers++;
  }
  for (const each of kept.sort(byLastUse)) {
    const isOld = now - each.usedAt > keepDays * dayMs;
    if (!isOld && done.keptBytes <= maxBytes) break;
    if (!spared.has(each.digest) && (await attempt(() => blobs.remove(each)))) noteRemoved(each);
  }
  return done;

  /** One that cannot be removed is no reason to keep the others. */
  async function attempt(removing: () => Promise<boolean>): Promise<boolean> {
    try {
      return await removing();
    } catch (error) {
      done.failed++;
      done.firstError ??= error;
      return false;
    }
  }

  function noteRemoved({ bytes }: Kept): void {
    done.removed++;
    done.removedBytes += bytes;
    done.kept--;
    done.keptBytes -= bytes;
  }
}

const byLastUse = (a: Kept, b: Kept): number => a.usedAt - b.usedAt || (a.digest < b.digest ? -1 : 1);
