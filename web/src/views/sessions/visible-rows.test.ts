import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNearEnd, visibleRows } from "./visible-rows.ts";

describe("the rows that are drawn", () => {
  it("UI-01 hold every row that can be seen, whatever was scrolled, and few others", () => {
    const sight = fc.record({
      scrolled: fc.integer({ min: -2000, max: 700_000 }),
      height: fc.integer({ min: 0, max: 3000 }),
      rowHeight: fc.integer({ min: 20, max: 100 }),
      count: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(sight, (given) => {
        const { first, end } = visibleRows(given);
        const { scrolled, height, rowHeight, count } = given;
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(first);
        expect(end).toBeLessThanOrEqual(count);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 26);
        const seenFirst = Math.max(0, Math.floor(scrolled / rowHeight));
        const seenEnd = Math.min(count, Math.ceil((scrolled + height) / rowHeight));
        expect(seenEnd <= seenFirst || (first <= seenFirst && end >= seenEnd)).toBe(true);
      }),
    );
  });

  it("ask for more before the end is reached, and not long before", () => {
    const sight = { height: 800, rowHeight: 50, count: 1000 };
    expect(isNearEnd({ ...sight, scrolled: 49_200 })).toBe(true);
    expect(isNearEnd({ ...sight, scrolled: 47_000 })).toBe(true);
    expect(isNearEnd({ ...sight, scrolled: 40_000 })).toBe(false);
    expect(isNearEnd({ ...sight, scrolled: 0, count: 3 })).toBe(true);
  });
});
