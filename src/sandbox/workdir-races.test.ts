import { describe, expect, it } from "vitest";
import { raceSwaps } from "./testing/swap-race.ts";

describe("a directory that is swapped for a link to the outside again and again", () => {
  it("SAFE-05 is no way out for any verb", async () => {
    const { done, refused, escapes } = await raceSwaps(250);
    expect(escapes).toEqual([]);
    // Both happened, so that the race was one.
    expect(done).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  }, 120_000);
});
