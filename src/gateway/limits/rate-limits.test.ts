import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createRateLimits } from "./rate-limits.ts";
import { createTokenBuckets } from "./token-buckets.ts";

const limits = { perAddress: 3, perUser: 2, perChannel: 2, perTenant: 100 };

it("TEN-06 refuses requests above the limit per minute, and says when to try again", async () => {
  const clock = createHandClock();
  const rates = createRateLimits({ clock, limits: () => limits });
  const take = () => rates.take("user", "token:1");
  expect([take(), take()]).toEqual([{ ok: true }, { ok: true }]);
  expect(take()).toEqual({ ok: false, retryAfterSeconds: 30 });
  await clock.advance(29_999);
  expect(take()).toEqual({ ok: false, retryAfterSeconds: 1 });
  await clock.advance(1);
  expect(take()).toEqual({ ok: true });
  expect(take().ok).toBe(false);
});

it("TEN-06 keeps addresses, users, channels and tenants apart, and each of them from the others", () => {
  const rates = createRateLimits({ clock: createHandClock(), limits: () => limits });
  for (const kind of ["address", "user", "channel", "tenant"] as const) {
    for (const key of ["192.0.2.1", "192.0.2.2"]) {
      const most = { address: 3, user: 2, channel: 2, tenant: 100 }[kind];
      for (let count = 0; count < most; count++) expect(rates.take(kind, key)).toEqual({ ok: true });
      expect(rates.take(kind, key).ok).toBe(false);
    }
  }
});

it("what the config says now holds now", () => {
  let perUser = 1;
  const rates = createRateLimits({ clock: createHandClock(), limits: () => ({ ...limits, perUser }) });
  expect(rates.take("user", "a").ok).toBe(true);
  expect(rates.take("user", "a").ok).toBe(false);
  perUser = 5;
  expect(rates.take("user", "b").ok).toBe(true);
  expect(rates.take("user", "b").ok).toBe(true);
});

it("within any minute nobody gets more than a full bucket and what came back meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 100 }),
      async (perMinute, pauses) => {
        const clock = createHandClock();
        const buckets = createTokenBuckets({ clock, perMinute: () => perMinute });
        const began = clock.now();
        let taken = 0;
        for (const pause of pauses) {
          if (buckets.take("key").ok) taken += 1;
          await clock.advance(pause);
        }
        const minutes = (clock.now() - began) / 60_000;
        expect(taken).toBeLessThanOrEqual(perMinute + perMinute * minutes + 1e-6);
      },
    ),
  );
});

it("remembers no more keys than it may, and forgets the one that was used longest ago", () => {
  const buckets = createTokenBuckets({ clock: createHandClock(), perMinute: () => 1, mostKeys: 3 });
  for (const key of ["a", "b", "c"]) buckets.take(key);
  expect(buckets.take("a").ok).toBe(false);
  buckets.take("d");
  expect(buckets.peek("b").ok).toBe(true);
  expect(["a", "c", "d"].map((key) => buckets.peek(key).ok)).toEqual([false, false, false]);
});

it("a clock that was set back gives nothing away", () => {
  const clock = createHandClock();
  const buckets = createTokenBuckets({ clock, perMinute: () => 1 });
  buckets.take("a");
  clock.jump(-500_000);
  expect(buckets.take("a").ok).toBe(false);
});
