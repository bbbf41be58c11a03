import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkRatio } from "./chunk-ratio.ts";

describe("chunk ratio", () => {
  it("COMP-07 is 0.4 as long as messages are small", () => {
    expect(chunkRatio([500, 1500], 200_000)).toBe(0.4);
    expect(chunkRatio([], 200_000)).toBe(0.4);
  });

  it("COMP-07 is 0.4 where the average with its margin is just a tenth of the window", () => {
    expect(chunkRatio([10_000], 120_000)).toBe(0.4);
  });

  it("COMP-07 goes down by twice the average's share beyond that", () => {
    // 10,000 × 1.2 / 100,000 = 0.12; 0.4 − 0.24
    expect(chunkRatio([10_000, 10_000], 100_000)).toBeCloseTo(0.16, 10);
  });

  it("COMP-07 is never below 0.15", () => {
    expect(chunkRatio([90_000], 100_000)).toBeCloseTo(0.15, 10);
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000)), fc.integer({ min: 1, max: 1_000_000 }), (sizes, window) => {
        const ratio = chunkRatio(sizes, window);
        return ratio >= 0.15 && ratio <= 0.4;
      }),
    );
  });
});
