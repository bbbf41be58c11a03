import { describe, expect, it } from "vitest";
import { raceSwaps } from "./testing/swap-race.ts";

describe("a directory that is swapped for a link to the outside for a long time", () => {
  it("SAFE-05 is no way out for any verb", async () => {
    expect((await raceSwaps(10_000)).escapes).toEqual([]);
  });
});
