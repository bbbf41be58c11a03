import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
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

describe("a wait that is longer than a timer of Node can be", () => {
  const days = 24 * 60 * 60_000;
  afterEach(() => void vi.useRealTimers());

  it.each([24 * days, 25 * days, 34 * days, 100 * days])("takes its whole time: %d ms", async (ms) => {
    vi.useFakeTimers();
    const seen: string[] = [];
    systemClock.after(ms, () => seen.push("called"));
    void systemClock.sleep(ms).then(() => seen.push("slept"));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(["called", "slept"]);
  });

  it("can be ended early at any time", async () => {
    vi.useFakeTimers();
    const seen: string[] = [];
    const stop = systemClock.after(60 * days, () => seen.push("called"));
    const ended = new AbortController();
    const sleep = systemClock.sleep(60 * days, ended.signal);
    await vi.advanceTimersByTimeAsync(30 * days);
    stop();
    ended.abort();
    await expect(sleep).rejects.toBe(ended.signal.reason);
    await vi.advanceTimersByTimeAsync(60 * days);
    expect(seen).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
