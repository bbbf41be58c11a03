import { expect, it } from "vitest";
import type { RunTurn } from "../agent/turn-run.ts";
import { heedingHeap } from "./many-runs.ts";

const turn = {} as Parameters<RunTurn>[0];
const signal = new AbortController().signal;

const heapTelling = (told: string[], rooms: string[] = [], effects: string[] = []) => ({
  collectYoungBy: (whom: string) => void effects.push(whom),
  growInSteps: (steps: string) => void told.push(steps),
  keepHeapSmall: () => void rooms.push("small"),
  makeRoomForYoung: () => void rooms.push("room"),
});

it("there is room for what turns leave behind, unless many run at once", async () => {
  const rooms: string[] = [];
  const ends: Array<() => void> = [];
  const run = heedingHeap(
    () => new Promise((resolve) => ends.push(() => resolve({ type: "ended" } as never))),
    heapTelling([], rooms),
  );
  const running: Array<Promise<unknown>> = [];
  for (let count = 0; count < 7; count++) running.push(run(turn, signal));
  expect(rooms).toEqual([]);
  for (let count = 0; count < 57; count++) running.push(run(turn, signal));
  expect(rooms).toEqual(["room", "room", "room", "room", "room", "room", "small", "small"]);
  for (const end of ends) end();
  await Promise.all(running);
  for (let count = 0; count < 8; count++) void run(turn, signal);
  expect(rooms.at(-1)).toBe("room");
});

it("the heap grows in small steps from the hundredth turn at once on, and all threads collect it, until fewer than fifty are left", async () => {
  const told: string[] = [];
  const effects: string[] = [];
  const ends: Array<() => void> = [];
  const run = heedingHeap(
    () => new Promise((resolve) => ends.push(() => resolve({ type: "ended" } as never))),
    heapTelling(told, [], effects),
  );
  const running: Array<Promise<unknown>> = [];
  const begin = () => void running.push(run(turn, signal));
  const end = async () => {
    ends.shift()?.();
    await running.shift();
  };
  for (let count = 0; count < 99; count++) begin();
  expect({ told, effects }).toEqual({ told: [], effects: ["one-thread"] });
  begin();
  expect({ told, effects }).toEqual({ told: ["small"], effects: ["one-thread", "all-threads"] });
  for (let count = 0; count < 50; count++) await end();
  begin();
  expect(told).toEqual(["small"]);
  await end();
  await end();
  expect(told).toEqual(["small", "usual"]);
  expect(effects).toEqual(["one-thread", "all-threads", "one-thread"]);
});

it("a turn that fails is counted as over, and fails as it would", async () => {
  const told: string[] = [];
  const run = heedingHeap(() => Promise.reject(new Error("the disk is full")), heapTelling(told));
  for (let count = 0; count < 200; count++)
    await expect(run(turn, signal)).rejects.toThrow("the disk is full");
  expect(told).toEqual([]);
});
