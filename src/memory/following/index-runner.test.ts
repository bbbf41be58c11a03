import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { MemoryThread } from "../index/memory-thread.ts";
import { createIndexRunner } from "./index-runner.ts";

const settle = async () => {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve();
};

function setUp() {
  const clock = createHandClock();
  const log: string[] = [];
  let breakDown = () => {};
  const runner = createIndexRunner({
    clock,
    idleMs: 1000,
    async start(onExit) {
      log.push("start");
      breakDown = onExit;
      return { close: async () => void log.push("close") } as unknown as MemoryThread;
    },
  });
  return { clock, keeper: runner, log, breakDown: () => breakDown() };
}

describe("the keeper of the index thread", () => {
  it("starts it with the first use, once for all who come, and ends it when nobody has used it for a while", async () => {
    const { keeper: runner, log, clock } = setUp();
    expect(runner.isRunning()).toBe(false);
    await Promise.all([runner.use(async () => 1), runner.use(async () => 2)]);
    expect(log).toEqual(["start"]);
    await clock.advance(900);
    await runner.use(async () => 3);
    await clock.advance(900);
    await settle();
    expect(runner.isRunning()).toBe(true);
    await clock.advance(200);
    await settle();
    expect(runner.isRunning()).toBe(false);
    expect(log).toEqual(["start", "close"]);
  });

  it("does not end it while it is in use, however long that takes", async () => {
    const { keeper: runner, log, clock } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = runner.use(() => promise);
    await settle();
    await clock.advance(60_000);
    await settle();
    expect(log).toEqual(["start"]);
    resolve();
    await long;
  });

  it("starts another when one broke", async () => {
    const { keeper: runner, log, breakDown } = setUp();
    await runner.use(async () => 1);
    breakDown();
    await runner.use(async () => 2);
    expect(log).toEqual(["start", "start"]);
  });

  it("waits for what runs when it is closed, and is closed twice if need be", async () => {
    const { keeper: runner, log } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = runner.use(() => promise);
    const closing = runner.close();
    await settle();
    expect(log).toEqual(["start"]);
    resolve();
    await Promise.all([long, closing]);
    await runner.close();
    expect(log).toEqual(["start", "close"]);
  });
});
