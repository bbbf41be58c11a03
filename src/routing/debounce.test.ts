import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDebounce } from "./debounce.ts";

function stage() {
  const clock = createHandClock();
  const debounce = createDebounce<number>({ clock });
  const flushed: number[][] = [];
  const add = (row: number, key = "a", windowMs = 300) =>
    debounce.add({ key, group: `group of ${key[0]}`, windowMs }, row, (rows) => flushed.push(rows));
  return { clock, debounce, flushed, add };
}

describe("the debounce", () => {
  it("ROUTE-10 gathers what comes within 300 ms into one burst", async () => {
    const { clock, flushed, add } = stage();
    add(1);
    await clock.advance(299);
    add(2);
    await clock.advance(299);
    expect(flushed).toEqual([]);
    await clock.advance(1);
    expect(flushed).toEqual([[1, 2]]);
    add(3);
    await clock.advance(300);
    expect(flushed).toEqual([[1, 2], [3]]);
  });

  it("passes on at once where there is no window", () => {
    const { flushed, add, clock } = stage();
    add(1, "a", 0);
    expect(flushed).toEqual([[1]]);
    expect(clock.sleeping()).toBe(0);
  });

  it("keeps people apart", async () => {
    const { clock, flushed, add } = stage();
    add(1, "a");
    add(2, "b");
    await clock.advance(300);
    expect(flushed).toEqual([[1], [2]]);
  });

  it("ends a burst at 20 messages or 2 s, however fast they come", async () => {
    const { clock, flushed, add } = stage();
    for (let row = 0; row < 25; row++) add(row);
    expect(flushed.map((rows) => rows.length)).toEqual([20]);
    await clock.advance(300);
    expect(flushed.map((rows) => rows.length)).toEqual([20, 5]);

    for (let time = 0; time < 2000; time += 200) {
      add(time);
      await clock.advance(200);
    }
    expect(flushed.map((rows) => rows.length)).toEqual([20, 5, 10]);
  });

  it("gives back what a group has not got through yet, and flushes the rest when asked", async () => {
    const { clock, debounce, flushed, add } = stage();
    add(1, "a1");
    add(2, "a2");
    add(3, "b1");
    expect(debounce.size()).toBe(3);
    expect(debounce.take("group of a")).toEqual([1, 2]);
    debounce.flushAll();
    expect(flushed).toEqual([[3]]);
    await clock.advance(5000);
    expect(flushed).toEqual([[3]]);
    expect(clock.sleeping()).toBe(0);
  });

  it("gives back only the bursts that are meant", () => {
    const { debounce, flushed, add } = stage();
    add(1, "a1");
    add(2, "a2");
    expect(debounce.take("group of a", (row) => row === 2)).toEqual([2]);
    debounce.flushAll();
    expect(flushed).toEqual([[1]]);
  });

  it("hands on every message once, in order, whatever the pauses", async () => {
    const step = fc.record({ key: fc.constantFrom("a", "b"), pause: fc.integer({ min: 0, max: 500 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, flushed, add, debounce } = stage();
        for (const [row, { key, pause }] of steps.entries()) {
          add(row, key);
          await clock.advance(pause);
        }
        await clock.advance(2000);
        expect(debounce.size()).toBe(0);
        const rowsOf = (key: string) => steps.flatMap((step, row) => (step.key === key ? [row] : []));
        for (const key of ["a", "b"]) {
          const mine = new Set(rowsOf(key));
          expect(flushed.flat().filter((row) => mine.has(row))).toEqual(rowsOf(key));
        }
        expect(flushed.flat().length).toBe(steps.length);
      }),
      { numRuns: 40 },
    );
  });
});
