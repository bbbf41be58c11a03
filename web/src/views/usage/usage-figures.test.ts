import type { UsageDayView } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cacheShare,
  dayLabels,
  lastDays,
  layBars,
  stackDays,
  sumByKey,
  sumOf,
  valueTicks,
} from "./usage-figures.ts";

const used = (day: string, key: string, cost: number, total = 100): UsageDayView => ({
  day,
  key,
  calls: 1,
  failures: 0,
  unpriced: 0,
  input: 40,
  output: 20,
  cacheRead: 30,
  cacheWrite: 10,
  total,
  cost,
});

describe("figures of usage", () => {
  it("UI-01 add up names over the days, the most expensive first", () => {
    const days = [used("2026-01-01", "a", 1), used("2026-01-02", "a", 1), used("2026-01-01", "b", 3)];
    expect(sumByKey(days).map(({ key, cost, tokens, calls }) => [key, cost, tokens, calls])).toEqual([
      ["b", 3, 100, 1],
      ["a", 2, 200, 2],
    ]);
    expect(sumOf(days)).toMatchObject({ cost: 5, calls: 3, tokens: 300 });
  });

  it("tell how much came from a cache, and nothing where nothing was asked", () => {
    expect(cacheShare(sumOf([used("2026-01-01", "a", 1)]))).toBe(0.375);
    expect(cacheShare(sumOf([]))).toBeUndefined();
  });

  it("know the days of a range, also over a month and a leap day", () => {
    expect(lastDays("2024-03-01", 3)).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
  });

  it("stack each day by name, days without anything included, the many small ones together", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const days = names.map((key, index) => used("2026-01-02", key, index + 1));
    const {
      series,
      hasOthers,
      days: stacks,
      highest,
    } = stackDays(days, {
      metric: "cost",
      range: lastDays("2026-01-03", 3),
    });
    expect(series).toEqual(["h", "g", "f", "e", "d"]);
    expect(hasOthers).toBe(true);
    expect(stacks.map(({ total }) => total)).toEqual([0, 36, 0]);
    expect(stacks[1]?.pieces.at(-1)).toEqual({ series: 5, value: 6, from: 30 });
    expect(highest).toBe(36);
  });

  it("lose nothing on the way: what is drawn adds up to what was used", () => {
    const day = fc.record({
      day: fc.constantFrom(...lastDays("2026-01-10", 10)),
      key: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i"),
      cost: fc.nat(1000),
    });
    fc.assert(
      fc.property(fc.array(day, { maxLength: 60 }), (drawn) => {
        const days = drawn.map((each) => used(each.day, each.key, each.cost));
        const { days: stacks, highest } = stackDays(days, {
          metric: "cost",
          range: lastDays("2026-01-10", 10),
        });
        expect(stacks.reduce((sum, { total }) => sum + total, 0)).toBe(sumOf(days).cost);
        const box = { width: 700, height: 220, left: 40, bottom: 20, top: 10, right: 16 };
        const top = valueTicks(highest).at(-1) ?? 1;
        for (const { x, width, pieces } of layBars(stacks, box, top)) {
          expect(x).toBeGreaterThanOrEqual(box.left);
          expect(x + width).toBeLessThanOrEqual(box.width - box.right + 0.001);
          for (const { y, height } of pieces) {
            expect(y).toBeGreaterThanOrEqual(box.top - 0.001);
            expect(y + height).toBeLessThanOrEqual(box.height - box.bottom + 0.001);
          }
        }
      }),
    );
  });

  it("draw lines at round values that reach above the highest", () => {
    expect(valueTicks(0)).toEqual([0, 1]);
    expect(valueTicks(3.7)).toEqual([0, 1, 2, 3, 4]);
    expect(valueTicks(0.042)).toEqual([0, 0.02, 0.04, 0.06]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (highest) => {
        const ticks = valueTicks(highest);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * 0.999_999);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  it("name as many days as fit, today always among them", () => {
    const range = lastDays("2026-01-30", 30);
    expect(dayLabels(range, 6).length).toBeLessThanOrEqual(6);
    expect(dayLabels(range, 6)).toContain(29);
    expect(dayLabels(lastDays("2026-01-07", 7), 10)).toHaveLength(7);
  });
});
