/** Drops the oldest part of what would be summarised, if it is too much. */
import type { HasMessage } from "./seams.ts";
import { splitByShare, sumOf } from "./split-by-share.ts";

/** Drops the oldest half (or smaller part) repeatedly, until the rest fits or cannot be split further. */
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

/** Share of the window: if new messages take more than this, at most this much of the old ones is summarised. */
export const maxHistoryShare = 0.5;
