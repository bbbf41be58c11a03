import * as fc from "fast-check";
import { expect, it } from "vitest";
import { overallStatus } from "./overall-status.ts";

it("is never better than what the doctor or a measurement says", () => {
  expect(overallStatus("ok", ["ok", "problem"])).toBe("failing");
  expect(overallStatus("ok", ["warning"])).toBe("degraded");
  expect(overallStatus("failing", [])).toBe("failing");
  const status = fc.constantFrom("ok" as const, "degraded" as const, "failing" as const);
  const level = fc.constantFrom("ok" as const, "warning" as const, "problem" as const);
  fc.assert(
    fc.property(status, fc.array(level), (measured, found) => {
      const isWell = measured === "ok" && found.every((each) => each === "ok");
      expect(overallStatus(measured, found) === "ok").toBe(isWell);
    }),
  );
});

it("calls nothing well before everything is known, and says at once what is not", () => {
  expect(overallStatus("ok", undefined)).toBeUndefined();
  expect(overallStatus(undefined, ["ok"])).toBeUndefined();
  expect(overallStatus("degraded", undefined)).toBe("degraded");
  expect(overallStatus(undefined, ["problem"])).toBe("failing");
});
