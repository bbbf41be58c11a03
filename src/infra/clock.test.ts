import { expect, it } from "vitest";
import { timestamp } from "./clock.ts";

it("a time is written in full, whoever asked before and whatever their clock said", () => {
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
