/** The laws over a whole gateway: storage, sessions, scouts, cards and restarts are the product's. */
import { expect, it } from "vitest";
import { testSeed } from "../../../scripts/test-seed.ts";
import { brokenLaw, plainLaws } from "./check-laws.ts";
import { openGatewayGate } from "./gateway-gate.ts";
import { forGateway } from "./random-program.ts";

it("the laws hold over programs that a whole gateway plays", async () => {
  const how = { seed: testSeed, only: plainLaws, isUnshrunk: true, played: forGateway };
  expect(await brokenLaw(openGatewayGate, { runs: 24, ...how })).toBeUndefined();
}, 180_000);
