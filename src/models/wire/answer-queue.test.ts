import { describe, expect, it } from "vitest";
import { createAnswerQueue } from "./answer-queue.ts";

const isReady = (queue: { ready(): Promise<void> }): Promise<boolean> =>
  Promise.race([
    queue.ready().then(() => true),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);

describe("a queue of what has not been read", () => {
  it("has no room while too much waits, and room again once it is read, in order", async () => {
    const queue = createAnswerQueue<number>(3);
    const items = queue.items();
    for (const item of [1, 2]) queue.push(item);
    expect(await isReady(queue)).toBe(true);
    for (const item of [3, 4]) queue.push(item);
    expect(await isReady(queue)).toBe(false);
    expect((await items.next()).value).toBe(1);
    expect(await isReady(queue)).toBe(false);
    expect((await items.next()).value).toBe(2);
    expect(await isReady(queue)).toBe(true);
    queue.push(5);
    expect(await isReady(queue)).toBe(false);
    const rest = [await items.next(), await items.next(), await items.next()];
    expect(rest.map(({ value }) => value)).toEqual([3, 4, 5]);
  });

  it("keeps nobody waiting when the reader has left", async () => {
    const queue = createAnswerQueue<number>(1);
    queue.push(1);
    expect(await isReady(queue)).toBe(false);
    queue.leave();
    expect(await isReady(queue)).toBe(true);
    queue.push(2);
    expect(await isReady(queue)).toBe(true);
  });
});
