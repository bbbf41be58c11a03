import { describe, expect, it } from "vitest";
import { compactionThresholds, isFlushDue } from "./compaction-settings.ts";

const defaults = { reserveTokensFloor: 20_000, softThresholdTokens: 4000, keepRecentTokens: 20_000 };
const thresholds = compactionThresholds({ contextWindow: 200_000, ...defaults });

describe("thresholds", () => {
  it("COMP-20 takes notes at window − reserve − soft and sums up at window − reserve", () => {
    expect(thresholds).toEqual({ flushAt: 176_000, compactAt: 180_000, keepTokens: 20_000 });
    expect(compactionThresholds({ contextWindow: 32_000, ...defaults })).toEqual({
      flushAt: 8000,
      compactAt: 12_000,
      keepTokens: 4800,
    });
  });

  it("takes shares of a window in which the formula would leave less than a quarter", () => {
    expect(compactionThresholds({ contextWindow: 31_999, ...defaults })).toEqual({
      flushAt: 15_999,
      compactAt: 19_999,
      keepTokens: 7999,
    });
    expect(compactionThresholds({ contextWindow: 8000, ...defaults })).toEqual({
      flushAt: 4000,
      compactAt: 5000,
      keepTokens: 2000,
    });
  });
});

describe("memory flush", () => {
  const state = { used: 176_001, thresholds, memoryFlushAt: null, lastCompactionAt: null, enabled: true };
  const early = "2026-11-15T08:00:00.000Z";
  const late = "2026-11-15T09:00:00.000Z";

  it("COMP-20 is due when more is used than window − reserve − soft, and not before", () => {
    expect(isFlushDue(state)).toBe(true);
    expect(isFlushDue({ ...state, used: 176_000 })).toBe(false);
  });

  it("COMP-21 happens at most once per compaction cycle", () => {
    expect(isFlushDue({ ...state, memoryFlushAt: early })).toBe(false);
    expect(isFlushDue({ ...state, memoryFlushAt: late, lastCompactionAt: early })).toBe(false);
    expect(isFlushDue({ ...state, memoryFlushAt: early, lastCompactionAt: late })).toBe(true);
    expect(isFlushDue({ ...state, memoryFlushAt: null, lastCompactionAt: late })).toBe(true);
  });

  it("COMP-21 is skipped when it is switched off or nothing can be written", () => {
    expect(isFlushDue({ ...state, enabled: false })).toBe(false);
    expect(isFlushDue({ ...state, writable: false })).toBe(false);
  });
});
