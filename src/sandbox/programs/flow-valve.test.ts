import { createHandClock } from "@pincer/sdk/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { createFlowValve, type FlowValve } from "./flow-valve.ts";

let clock: ReturnType<typeof createHandClock>;
let valve: FlowValve;
let isPaused: boolean;
const terminal = { pause: () => void (isPaused = true), resume: () => void (isPaused = false) };
beforeEach(() => {
  clock = createHandClock();
  valve = createFlowValve(clock);
  isPaused = false;
});

describe("a program that floods", () => {
  it("is paused after a burst of two megabytes, and for a moment only", async () => {
    valve.attach(terminal);
    valve.passed(2_000_000);
    expect(isPaused).toBe(false);
    valve.passed(1);
    expect(isPaused).toBe(true);
    await clock.advance(50);
    expect(isPaused).toBe(false);
  });

  it("is read from at two megabytes a second", async () => {
    valve.attach(terminal);
    let read = 0;
    for (let step = 0; step < 1000; step++) {
      for (let chunk = 0; chunk < 1000; chunk++) {
        if (isPaused) break;
        valve.passed(4096);
        read += 4096;
      }
      await clock.advance(10);
    }
    expect(read).toBeGreaterThan(20_000_000);
    expect(read).toBeLessThan(22_500_000);
  });

  it("is paused also when it spoke before it was known", () => {
    valve.passed(3_000_000);
    valve.attach(terminal);
    expect(isPaused).toBe(true);
  });

  it("has its burst again when it was quiet, and no more than that", async () => {
    valve.attach(terminal);
    valve.passed(2_000_000);
    await clock.advance(60_000);
    valve.passed(2_000_000);
    expect(isPaused).toBe(false);
    valve.passed(1);
    expect(isPaused).toBe(true);
  });
});
