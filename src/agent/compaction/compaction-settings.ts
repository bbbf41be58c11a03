/** When notes are taken, when a session is summarised, and how much of it stays verbatim. */

/** In tokens. */
export interface Thresholds {
  /** More than this: notes are taken. */
  flushAt: number;
  /** More than this: the session is summed up. */
  compactAt: number;
  keepTokens: number;
}

interface CompactionSizes {
  contextWindow: number;
  reserveTokensFloor: number;
  softThresholdTokens: number;
  keepRecentTokens: number;
}

/**
 * Notes are taken at window − reserve − soft, and the session is compacted at window − reserve. If that would leave
 * less than a quarter of the window for the conversation, notes are taken at half of the window and the session is
 * compacted at five eighths.
 */
export function compactionThresholds(sizes: CompactionSizes): Thresholds {
  const { contextWindow, reserveTokensFloor, softThresholdTokens, keepRecentTokens } = sizes;
  const flushAt = contextWindow - reserveTokensFloor - softThresholdTokens;
  const { flush, compaction } =
    flushAt >= contextWindow / 4
      ? { flush: flushAt, compaction: contextWindow - reserveTokensFloor }
      : {
          flush: Math.floor(contextWindow * 0.5),
          compaction: Math.floor(contextWindow * 0.625),
        };
  const keepTokens = Math.min(keepRecentTokens, Math.floor(compaction * mostKept));
  return { flushAt: flush, compactAt: compaction, keepTokens };
}

/** Of what makes a summary necessary: if more stayed, the next one would be due at once. */
const mostKept = 0.4;

/** Once from one compaction to the next. Times are RFC 3339 in UTC with milliseconds, so that they compare as text. */
export function isFlushDue(state: {
  used: number;
  thresholds: Thresholds;
  memoryFlushAt: string | null;
  lastCompactionAt: string | null;
  enabled: boolean;
  /** Whether notes can be written at all; left out: yes. */
  writable?: boolean;
}): boolean {
  const { used, thresholds, memoryFlushAt, lastCompactionAt, enabled, writable = true } = state;
  if (!enabled || !writable || used <= thresholds.flushAt) return false;
  if (memoryFlushAt === null) return true;
  return lastCompactionAt !== null && memoryFlushAt <= lastCompactionAt;
}
