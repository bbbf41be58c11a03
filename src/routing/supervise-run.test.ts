import { createHandClock } from "@pincer/sdk/testing";
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { TurnStop, type RunTurn } from "../agent/turn-run.ts";
import { superviseRun, type SupervisedRun } from "./supervise-run.ts";
import { createTurnTable } from "./testing/turn-table.ts";

const settle = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A run of at most a minute, with five seconds of grace. */
function supervise(run: RunTurn, given: Partial<SupervisedRun> = {}) {
  const clock = createHandClock();
  const abort = new AbortController();
  const turn = createTurnTable().queue("a");
  const errors: string[] = [];
  const lateEnds: string[] = [];
  const outcome = superviseRun({
    turn,
    run,
    abort,
    clock,
    deadlineMs: () => 60_000,
    graceMs: 5000,
    evict: async () => {},
    onError: (error) => errors.push(String(error)),
    onLateEnd: ({ type }) => lateEnds.push(type),
    ...given,
  });
  const left = () => ({
    timers: clock.sleeping(),
    listeners: getEventListeners(abort.signal, "abort").length,
  });
  return { clock, abort, errors, lateEnds, outcome, left };
}

const nothing = { timers: 0, listeners: 0 };
const never = () => new Promise<never>(() => {});

it("a run that ends or throws in its time leaves neither a timer nor a listener", async () => {
  const ended = supervise(async () => ({ type: "over" }));
  expect(await ended.outcome).toEqual({ type: "over" });
  await settle();
  expect(ended.left()).toEqual(nothing);
  const thrown = supervise(() => {
    throw new Error("broken");
  });
  await expect(thrown.outcome).rejects.toThrow("broken");
  await settle();
  expect(thrown.left()).toEqual(nothing);
});

it("a run that ends when it is aborted, before its first step or later, leaves nothing either", async () => {
  const obedient: RunTurn = (_, signal) =>
    new Promise((resolve) => {
      const end = () => resolve({ type: "parked" });
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  const abort = new AbortController();
  abort.abort(new TurnStop("shutdown"));
  const before = supervise(obedient, { abort });
  const later = supervise(obedient);
  await settle();
  later.abort.abort(new TurnStop("client"));
  for (const { outcome, left } of [before, later]) {
    expect(await outcome).toEqual({ type: "parked" });
    await settle();
    expect(left()).toEqual(nothing);
  }
});

it("a run that is given up leaves nothing, whatever its eviction does, and its late end is told", async () => {
  for (const evict of [async () => {}, () => Promise.reject(new Error("no lease")), never]) {
    const { promise: running, resolve } = Promise.withResolvers<{ type: "parked" }>();
    const { clock, abort, errors, lateEnds, outcome, left } = supervise(() => running, { evict });
    await clock.advance(60_000);
    expect(abort.signal.reason).toMatchObject({ by: "overdue" });
    await clock.advance(10_000);
    expect(await outcome).toBe("hung");
    expect(errors.at(-1)).toContain("did not react");
    expect(left()).toEqual(nothing);
    resolve({ type: "parked" });
    await settle();
    expect(lateEnds).toEqual(["parked"]);
  }
});

it("a run that ends while it is evicted has ended, and leaves nothing", async () => {
  const { promise: running, resolve } = Promise.withResolvers<{ type: "over" }>();
  const { clock, errors, outcome, left } = supervise(() => running, { evict: never });
  await clock.advance(66_000);
  resolve({ type: "over" });
  expect(await outcome).toEqual({ type: "over" });
  await settle();
  expect({ left: left(), errors }).toEqual({ left: nothing, errors: [] });
});

it("limits that cannot be read end the watch with that, and leave nothing", async () => {
  let isBroken = false;
  const { clock, outcome, left } = supervise(never, {
    waitedMs: () => {
      if (isBroken) throw new Error("no such turn");
      return 0;
    },
  });
  const caught = outcome.catch(String);
  isBroken = true;
  await clock.advance(60_000);
  expect(await caught).toContain("no such turn");
  expect(left()).toEqual(nothing);
});
