import * as fc from "fast-check";
import { expect, it } from "vitest";
import { longestAskedMs, retryDelay } from "./retry-delay.ts";

const wishes = fc.record({
  firstMs: fc.integer({ min: 1, max: 10_000 }),
  mostMs: fc.integer({ min: 10_000, max: 600_000 }),
  tries: fc.integer({ min: 1, max: 1000 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  retryAfterMs: fc.option(fc.oneof(fc.nat(), fc.constantFrom(3e9, 1e15, Infinity)), { nil: undefined }),
});

it("waits as long as the network asks for, but never so long that answers are forgotten", () => {
  fc.assert(
    fc.property(wishes, ({ part, ...given }) => {
      const delay = retryDelay({ ...given, random: () => part });
      expect(delay).toBeGreaterThanOrEqual(Math.min(given.retryAfterMs ?? 0, longestAskedMs));
      expect(delay).toBeLessThanOrEqual(Math.max(given.mostMs, longestAskedMs));
      expect(Number.isInteger(delay)).toBe(true);
    }),
  );
});
