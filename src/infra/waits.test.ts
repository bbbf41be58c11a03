import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createWaits } from "./waits.ts";

it("a wait lasts its time, one after the other", async () => {
  const clock = createHandClock();
  const waits = createWaits(clock);
  const outcomes: boolean[] = [];
  void waits.wait(10).then(async (isOver) => outcomes.push(isOver, await waits.wait(10)));
  await clock.advance(19);
  expect(outcomes).toEqual([]);
  await clock.advance(1);
  expect(outcomes).toEqual([true, true]);
  expect(waits.isEnded()).toBe(false);
  expect(clock.sleeping()).toBe(0);
});

it("ended waits are over at once, those to come as well, and leave nothing on the clock", async () => {
  const clock = createHandClock();
  const waits = createWaits(clock);
  const waiting = [waits.wait(10), waits.wait(20)];
  expect(clock.sleeping()).toBe(2);
  waits.end();
  waits.end();
  expect(await Promise.all([...waiting, waits.wait(5)])).toEqual([false, false, false]);
  expect(waits.isEnded()).toBe(true);
  expect(clock.sleeping()).toBe(0);
});
