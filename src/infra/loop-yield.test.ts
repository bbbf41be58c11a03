import { describe, expect, it } from "vitest";
import { createLoopYield } from "./loop-yield.ts";

describe("yielding to the event loop", () => {
  function setUp() {
    let time = 0;
    const waiting: Array<() => void> = [];
    const loopYield = createLoopYield({
      longestMs: 10,
      now: () => time,
      afterTurn: (then) => waiting.push(then),
    });
    const turn = async () => {
      for (const then of waiting.splice(0)) then();
      for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    };
    return { loopYield, turn, work: (ms: number) => void (time += ms) };
  }

  it("keeps nobody waiting while the thread is held for a short time only", () => {
    const { loopYield, work } = setUp();
    expect(loopYield.isSpent()).toBe(false);
    work(9);
    expect(loopYield.isSpent()).toBe(false);
  });

  it("lets the loop turn once the thread was held for long, and so on for what is still to do", async () => {
    const { loopYield, turn, work } = setUp();
    const done: number[] = [];
    const all = [1, 2, 3, 4, 5].map(async (id) => {
      while (loopYield.isSpent()) await loopYield.turned();
      done.push(id);
      work(6);
    });
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    expect(done).toEqual([1, 2, 3, 4, 5].slice(0, done.length));
    const held = done.length;
    expect(held).toBeLessThan(5);
    while (done.length < 5) {
      const before = done.length;
      await turn();
      expect(done.length).toBeGreaterThan(before);
      expect(done.length - before).toBeLessThanOrEqual(2);
    }
    await Promise.all(all);
    expect(done).toEqual([1, 2, 3, 4, 5]);
  });

  it("begins anew after the loop has turned", async () => {
    const { loopYield, turn, work } = setUp();
    loopYield.isSpent();
    work(50);
    await turn();
    expect(loopYield.isSpent()).toBe(false);
  });
});
