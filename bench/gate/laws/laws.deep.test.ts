import { expect, it } from "vitest";
import { testSeed } from "../../../scripts/test-seed.ts";
import { brokenLaw } from "./check-laws.ts";
import { openCoreGate } from "./core-gate.ts";

it("the laws hold over a hundred thousand random programs", async () => {
  expect(await brokenLaw(openCoreGate, { runs: 100_000, seed: testSeed })).toBeUndefined();
});
