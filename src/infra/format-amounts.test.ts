import { expect, it } from "vitest";
import { formatCost, formatCount, formatDuration, formatShare } from "./format-amounts.ts";

it.each([
  [0, "$0.00"],
  [12.3, "$12.30"],
  [1, "$1.00"],
  [0.5, "$0.500"],
  [0.0123, "$0.0123"],
  [0.00000412, "$0.00000412"],
  [0.0000000001, "$0.00000000"],
])("MODEL-08 says %d dollars as %s", (dollars, text) => {
  expect(formatCost(dollars)).toBe(text);
});

it("marks an estimate", () => {
  expect(formatCost(2, { estimated: true })).toBe("~$2.00");
});

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [1234567, "1,234,567"],
])("counts %d as %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

it.each([
  [500, "0.5 s"],
  [90_000, "90 s"],
  [60_000, "1 min"],
  [900_000, "15 min"],
  [7_200_000, "2 h"],
])("says %d milliseconds as %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

it("says a share in percent, and nothing of nothing as nothing", () => {
  expect([formatShare(1, 3), formatShare(0, 0), formatShare(5, 5)]).toEqual(["33%", "0%", "100%"]);
});
