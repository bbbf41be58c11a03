import { expect, it } from "vitest";
import { testSeed } from "../../../scripts/test-seed.ts";
import { brokenLaw, plainLaws } from "./check-laws.ts";
import { openCoreGate } from "./core-gate.ts";
import { openGatewayGate } from "./gateway-gate.ts";
import { forGateway } from "./random-program.ts";

const seed = testSeed;

it("the laws hold over a hundred thousand random programs", async () => {
  expect(await brokenLaw(openCoreGate, { runs: 100_000, seed, only: plainLaws })).toBeUndefined();
});

it("nobody outside can tell twenty thousand pairs of runs apart", async () => {
  expect(await brokenLaw(openCoreGate, { runs: 20_000, seed, only: ["same-outside"] })).toBeUndefined();
});

it("the laws hold over two thousand programs that a whole gateway plays", async () => {
  const how = { seed, only: plainLaws, isUnshrunk: true, played: forGateway };
  expect(await brokenLaw(openGatewayGate, { runs: 2000, ...how })).toBeUndefined();
});

it("two runs can be told apart where what leaves is not judged", async () => {
  const options = { runs: 3000, seed, without: "leaving" as const, isUnshrunk: true };
  const broken = await brokenLaw(openCoreGate, { ...options, only: ["same-outside"] });
  expect(broken).toMatch(/^same-outside: /);
});
