import { describe, expect, it } from "vitest";
import { createFairQueue, type QueueItem } from "./fair-queue.ts";

const item = (position: number, isSuspect = false): QueueItem => ({
  turnId: `t${position}`,
  position,
  isSuspect,
});

describe("the fair queue", () => {
  it("ROUTE-16 goes round the lanes, whatever lies waiting in one of them", () => {
    const queue = createFairQueue();
    for (let position = 1; position <= 100; position++) queue.add("busy", item(position));
    queue.add("quiet", item(101));
    const order: string[] = [];
    for (let next = queue.next(true); next && order.length < 4; next = queue.next(true)) {
      order.push(next.lane);
      queue.free(next.lane);
    }
    expect(order).toEqual(["busy", "quiet", "busy", "busy"]);
  });

  it("SESS-20 gives nothing of a lane that is taken, and keeps the order within it", () => {
    const queue = createFairQueue();
    for (const position of [3, 1, 2, 1]) queue.add("a", item(position));
    expect(queue.size()).toBe(3);
    for (const position of [1, 2, 3]) {
      expect(queue.next(true)?.item.position).toBe(position);
      expect(queue.next(true)).toBeUndefined();
      queue.free("a");
    }
    expect(queue.size()).toBe(0);
  });

  it("keeps suspects in a round of their own", () => {
    const queue = createFairQueue();
    queue.add("a", item(1, true));
    queue.add("b", item(2, true));
    queue.add("c", item(3));
    expect(queue.next(true)?.lane).toBe("a");
    expect(queue.next(false)?.lane).toBe("c");
    expect(queue.next(false)).toBeUndefined();
    expect(queue.next(true)?.lane).toBe("b");
  });

  it("takes out what is meant and goes on with the rest", () => {
    const queue = createFairQueue();
    for (const position of [1, 2, 3]) queue.add("a", item(position));
    expect(queue.remove("a", ({ position }) => position < 3).map(({ position }) => position)).toEqual([1, 2]);
    expect(queue.waiting("a")).toHaveLength(1);
    expect(queue.next(true)?.item.position).toBe(3);
    expect(queue.remove("nobody", () => true)).toEqual([]);
  });
});
