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
    { numRuns: 6, endOnFailure: true },
  );
}, 60_000);

it("CHAN-01 hears again within half a minute also where a question hangs after many that failed at once", async () => {
  const { written, received } = await rideOut([
    { fault: { type: "lost-answer" }, method: undefined, seconds: 17 },
    { fault: { type: "slow-body" }, method: "getUpdates", seconds: 10 },
  ]);
  expect(received).toEqual(written);
}, 60_000);
