import { expect, it } from "vitest";
import { timeLeft } from "./time-left.ts";

it("counts down to nothing and not below", () => {
  const now = Date.parse("2026-01-01T00:00:00.000Z");
  const at = (ms: number) => timeLeft(new Date(now + ms).toISOString(), now);
  expect([at(3_661_000), at(65_000), at(400), at(0), at(-5000)]).toEqual([
    "1:01:01",
    "1:05",
    "0:01",
    "0:00",
    "0:00",
  ]);
  expect(timeLeft("nonsense", now)).toBe("");
});
