import { createHandClock } from "@pincer/sdk/testing";
import { describeCallsAfter } from "../../../src/infra/testing/clock-contract.ts";
import { expect, it } from "vitest";
import { createClockSetter, createFastClock } from "./fast-clock.ts";

describeCallsAfter("a clock that runs fast", () => {
  const real = createHandClock();
  const clock = createFastClock({ origin: real.now(), speed: 10 }, real);
  return { clock, pass: (ms) => real.advance(ms / 10) };
});

const hour = 3_600_000;

it("jumps on the wall alone: durations and timers do not notice", async () => {
  const real = createHandClock();
  const clock = createFastClock({ origin: real.now(), speed: 10 }, real);
  const [now, monotonic] = [clock.now(), clock.monotonic()];
  let rings = 0;
  clock.after(1000, () => rings++);
  clock.jump(-48 * hour);
  expect([clock.now(), clock.monotonic()]).toEqual([now - 48 * hour, monotonic]);
  await real.advance(100);
  expect(rings).toBe(1);
});

it("goes on from one life to the next where it was, however fast each of them runs and whatever jumped", async () => {
  const real = createHandClock();
  const setter = createClockSetter(real.now(), 10, real.now);
  const shown = (speed: number) => createFastClock(setter.planFor(speed), real).now();
  const first = shown(10);
  await real.advance(1000);
  expect(shown(100)).toBe(first + 10_000);
  await real.advance(1000);
  setter.jump(-hour);
  expect(shown(10)).toBe(first + 10_000 + 100_000 - hour);
});
