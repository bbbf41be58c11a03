import * as fc from "fast-check";
import { expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { billingPauseMs, cooldownMs } from "./cooldown.ts";

const settings = defaultConfig.auth.cooldowns;
const minute = 60_000;
const hour = 60 * minute;

it("AUTH-09 sets aside for 5, 25, 60 and again 60 minutes", () => {
  expect([1, 2, 3, 4].map((count) => cooldownMs(count, settings) / minute)).toEqual([5, 25, 60, 60]);
});

it("AUTH-09 X20 gives 1, 5, 25 and 125 minutes where the config asks for them", () => {
  const other = { ...settings, baseMs: minute, factor: 5, maxMs: 7_500_000 };
  expect([1, 2, 3, 4, 5].map((count) => cooldownMs(count, other) / minute)).toEqual([1, 5, 25, 125, 125]);
});

it("AUTH-10 doubles from 30 minutes to 24 hours for lack of money", () => {
  const hours = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => billingPauseMs(count, settings) / hour);
  expect(hours).toEqual([0.5, 1, 2, 4, 8, 16, 24, 24]);
});

it("AUTH-10 X20 doubles from 5 hours to 24 where the config asks for it", () => {
  const other = { ...settings, billingBaseMs: 5 * hour };
  expect([1, 2, 3, 4].map((count) => billingPauseMs(count, other) / hour)).toEqual([5, 10, 20, 24]);
});

it("AUTH-09 AUTH-10 never falls with the count and never passes the most", () => {
  const pause = fc.integer({ min: 1, max: 10_000_000 });
  const anySettings = fc.record({
    baseMs: pause,
    factor: fc.double({ min: 1, max: 100, noNaN: true }),
    maxMs: pause,
    billingBaseMs: pause,
    billingFactor: fc.double({ min: 1, max: 100, noNaN: true }),
    billingMaxMs: pause,
  });
  fc.assert(
    fc.property(anySettings, fc.nat({ max: 5000 }), (given, count) => {
      for (const [of, most] of [
        [cooldownMs, given.maxMs],
        [billingPauseMs, given.billingMaxMs],
      ] as const) {
        expect(of(count + 1, given)).toBeGreaterThanOrEqual(of(count, given));
        expect(of(count, given)).toBeLessThanOrEqual(most);
      }
    }),
  );
});
