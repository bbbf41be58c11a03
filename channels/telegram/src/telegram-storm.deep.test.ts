/** Trouble upon trouble, against the stand-in: whatever comes when, each message arrives once, and nothing is sent twice unasked. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { rideOut, weather } from "./testing/storm.ts";

it("CHAN-01 a storm of faults loses and doubles nothing, and all is there half a minute after it ends", async () => {
  await fc.assert(
    fc.asyncProperty(weather, async (squalls) => {
      const { written, received, seen, certainly, perhaps } = await rideOut(squalls);
      expect(received).toEqual(written);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(certainly);
      expect(seen.length).toBeLessThanOrEqual(certainly + perhaps);
    }),
    { numRuns: 500, endOnFailure: true },
  );
}, 3_600_000);
