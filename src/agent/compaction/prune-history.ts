/** Leaves out the oldest of what would be summed up, where it is more than can be afforded. */
import type { HasMessage } from "./seams.ts";
import { splitByShare, sumOf } from "./split-by-share.ts";

/** Half by half (or in smaller parts), the oldest goes, until the rest takes no more than that, or cannot be parted any further. */
export function pruneHistory<Each extends HasMessage>(
  said: readonly Each[],
  { mostTokens, parts = 2, tokensOf }: { mostTokens: number; parts?: number; tokensOf(each: Each): number },
): { kept: Each[]; dropped: Each[] } {
  let kept = [...said];
  while (sumOf(kept, tokensOf) > mostTokens) {
    const [oldest, ...rest] = splitByShare(kept, { parts, tokensOf });
    if (!oldest || rest.length === 0) break;
    kept = rest.flat();
  }
  return { kept, dropped: said.slice(0, said.length - kept.length) };
}

/** Of the window: if what is new takes more than this, no more than this is summed up of what is old. */
export const maxHistoryShare = 0.5;
