import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { systemClock, timestamp } from "./clock.ts";
import { describeCallsAfter } from "./testing/clock-contract.ts";

describeCallsAfter("the system's clock", () => ({
  clock: systemClock,
  // Twice, because on a busy machine what is called at the end of the first may have waited for anew only then.
  pass: (ms) => systemClock.sleep(ms).then(() => systemClock.sleep(ms)),
}));
describeCallsAfter("a clock that is turned by hand", () => {
  const clock = createHandClock();
  return { clock, pass: clock.advance };
});

it("a clock that is turned by hand tells how many are waited for", async () => {
  const clock = createHandClock();
  const stop = clock.after(10, () => {});
  clock.after(20, () => {});
  void clock.sleep(30);
  expect(clock.sleeping()).toBe(3);
  stop();
  expect(clock.sleeping()).toBe(2);
  await clock.advance(30);
  expect(clock.sleeping()).toBe(0);
});

it("a time is written in full, no matter who asked before and what their clock said", () => {
  const at = (now: number) => timestamp({ now: () => now });
  const noon = Date.parse("2026-11-16T12:00:00.007Z");
  expect([at(noon), at(noon), at(0), at(noon + 1), at(noon)]).toEqual([
    "2026-11-16T12:00:00.007Z",
    "2026-11-16T12:00:00.007Z",
    "1970-01-01T00:00:00.000Z",
    "2026-11-16T12:00:00.008Z",
    "2026-11-16T12:00:00.007Z",
  ]);
});
