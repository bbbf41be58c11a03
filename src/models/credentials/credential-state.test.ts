import { modelErrorCodes } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { defaultConfig } from "../../config/default-config.ts";
import { unused, type CredentialUse } from "../../storage/credentials/credentials.ts";
import type { ModelFailure } from "../model-failure.ts";
import { afterFailure, afterSuccess, setAsideUntil, billingPauseMs, cooldownMs } from "./credential-state.ts";

const { cooldowns } = defaultConfig.auth;
const start = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;

const fail = (
  use: CredentialUse,
  failure: Partial<ModelFailure>,
  { now = start, isOnly = false }: { now?: number; isOnly?: boolean } = {},
) => afterFailure(use, { code: "rate_limit", message: "slow down", ...failure }, { now, isOnly, cooldowns });

const minutesAside = (use: CredentialUse, now = start) => {
  const until = setAsideUntil(use, now);
  return until === undefined ? undefined : (until - now) / minute;
};

it("AUTH-07 forgets everything that was held against a credential that has worked", () => {
  const spoilt = fail(fail(unused(), { code: "billing" }), { code: "auth" });
  expect(afterSuccess(spoilt, start)).toEqual({ ...unused(), lastUsedAt: "2026-01-01T12:00:00.000Z" });
});

describe("AUTH-08 after a failure", () => {
  it.each(["auth", "rate_limit", "timeout"] as const)(
    "AUTH-09 for %s its cooldown grows each time",
    (code) => {
      let use = unused();
      let now = start;
      const minutes: Array<number | undefined> = [];
      for (let count = 1; count <= 4; count++) {
        use = fail(use, { code }, { now });
        expect(use).toMatchObject({ errorCount: count, lastError: "slow down", disabledUntil: null });
        minutes.push(minutesAside(use, now));
        now = setAsideUntil(use, now) ?? now;
        expect(setAsideUntil(use, now)).toBeUndefined();
      }
      expect(minutes).toEqual([5, 25, 60, 60]);
    },
  );

  it("AUTH-10 for lack of money it is disabled, with the reason", () => {
    const use = fail(unused(), { code: "billing", message: "no credit" });
    expect(use).toMatchObject({
      billingCount: 1,
      errorCount: 1,
      disabledReason: "billing",
      cooldownUntil: null,
    });
    expect(minutesAside(use)).toBe(30);
    const again = fail(use, { code: "billing" }, { now: start + 30 * minute });
    expect(minutesAside(again, start + 30 * minute)).toBe(60);
  });

  it("leaves a credential alone when the failure says nothing about it", () => {
    const about = new Set(["auth", "billing", "rate_limit", "timeout"]);
    for (const code of modelErrorCodes.filter((each) => !about.has(each)))
      expect(fail(unused(), { code })).toEqual(unused());
  });

  it("notes trouble of the provider as unknown, and does not set the credential aside for it", () => {
    const use = fail(unused(), { code: "unavailable", status: 500, message: "500: oops" });
    expect(use).toEqual({
      ...unused(),
      lastError: "unknown: 500: oops",
      lastErrorAt: "2026-01-01T12:00:00.000Z",
    });
    const slow = fail(unused(), {});
    expect(fail(slow, { code: "unavailable", status: 500 })).toEqual(slow);
  });

  it("many that fail together count as one", () => {
    const first = fail(unused(), {});
    const tenth = Array.from({ length: 9 }).reduce<CredentialUse>((use) => fail(use, {}), first);
    expect(tenth).toEqual(first);
    const broke = fail(unused(), { code: "billing" });
    expect(fail(broke, { code: "billing" })).toMatchObject({ billingCount: 1, errorCount: 1 });
  });

  it("is on cooldown for as long as the provider asks, up to a limit", () => {
    expect(minutesAside(fail(unused(), { retryAfterMs: 1000 }))).toBe(5);
    expect(minutesAside(fail(unused(), { retryAfterMs: 90 * minute }))).toBe(90);
    expect(minutesAside(fail(unused(), { retryAfterMs: 1e12 }))).toBe(24 * 60);
  });

  it("a shorter pause does not end a longer one", () => {
    const long = fail(unused(), { retryAfterMs: 90 * minute });
    expect(minutesAside(fail(long, { retryAfterMs: 1000 }))).toBe(90);
  });
});

describe("X20 the only credential", () => {
  it.each(["auth", "billing", "rate_limit", "timeout"] as const)(
    "is not on cooldown for %s, but it is noted",
    (code) => {
      const use = fail(unused(), { code }, { isOnly: true });
      expect(minutesAside(use)).toBeUndefined();
      expect(use).toMatchObject({
        errorCount: 1,
        lastError: "slow down",
        lastErrorAt: "2026-01-01T12:00:00.000Z",
      });
    },
  );

  it("is on cooldown no longer than the provider asks for, and never for having been slow", () => {
    for (const code of ["auth", "billing", "rate_limit"] as const)
      expect(minutesAside(fail(unused(), { code, retryAfterMs: 2 * minute }, { isOnly: true }))).toBe(2);
    expect(
      minutesAside(fail(unused(), { code: "timeout", retryAfterMs: minute }, { isOnly: true })),
    ).toBeUndefined();
  });
});

const hour = 60 * minute;

it("AUTH-09 is on cooldown for 5, 25, 60 and again 60 minutes", () => {
  expect([1, 2, 3, 4].map((count) => cooldownMs(count, cooldowns) / minute)).toEqual([5, 25, 60, 60]);
});

it("AUTH-09 X20 gives 1, 5, 25 and 125 minutes where the config asks for them", () => {
  const other = { ...cooldowns, baseMs: minute, factor: 5, maxMs: 7_500_000 };
  expect([1, 2, 3, 4, 5].map((count) => cooldownMs(count, other) / minute)).toEqual([1, 5, 25, 125, 125]);
});

it("AUTH-10 doubles from 30 minutes to 24 hours for lack of money", () => {
  const hours = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => billingPauseMs(count, cooldowns) / hour);
  expect(hours).toEqual([0.5, 1, 2, 4, 8, 16, 24, 24]);
});

it("AUTH-10 X20 doubles from 5 hours to 24 where the config asks for it", () => {
  const other = { ...cooldowns, billingBaseMs: 5 * hour };
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
