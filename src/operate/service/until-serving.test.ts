import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import type { Clock } from "../../infra/clock.ts";
import type { ServiceRecord } from "./service-record.ts";
import { untilServing } from "./until-serving.ts";

/** Time that passes as soon as somebody waits. */
function quickClock(): Clock {
  let now = 0;
  return { ...createHandClock(), monotonic: () => now, sleep: async (ms) => void (now += ms) };
}
const { signal } = new AbortController();

it("CLI-18 waits until the gateway that the system started answers", async () => {
  let looks = 0;
  const records = { read: async () => (++looks === 4 ? ({} as ServiceRecord) : undefined) };
  expect(await untilServing({ records, clock: quickClock(), signal })).toBe(true);
  expect(looks).toBe(4);
});

it("gives up on one that does not serve", async () => {
  const clock = quickClock();
  expect(await untilServing({ records: { read: async () => undefined }, clock, signal })).toBe(false);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(10_000);
});
