import { expect, it } from "vitest";
import { surviveMutations } from "./testing/survive-mutations.ts";

it("survives 100,000 mutated configs: never a crash, never a refusal, always a config that fits", () => {
  const { safe } = surviveMutations(20_261, 100_000);
  // Most damage is fatal to a file and some is not: a run in which either is missing tested nothing.
  expect(safe).toBeGreaterThan(20_000);
  expect(safe).toBeLessThan(99_000);
});
