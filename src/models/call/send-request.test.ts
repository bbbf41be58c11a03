import { expect, it } from "vitest";
import { estimateCost, outputPriceOf } from "./send-request.ts";

const price = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 3 };
const tiers = [
  { inputTokensAbove: 200_000, input: 4, output: 20, cacheRead: 1, cacheWrite: 6 },
  { inputTokensAbove: 100_000, input: 3, output: 15, cacheRead: 1, cacheWrite: 4 },
];

it("MODEL-05 prices a question as if all of it were written to the cache", () => {
  expect(estimateCost({ cost: price }, 1_000_000)).toBe(3);
  expect(outputPriceOf({ cost: price }, 1_000_000)).toBe(10);
});

it.each([
  [50_000, 3, 10],
  [50_001, 4, 15],
  [100_000, 4, 15],
  [100_001, 6, 20],
])(
  "MODEL-05 takes the highest price that %i tokens may reach when they are counted",
  (tokens, input, output) => {
    const record = { cost: { ...price, tiers } };
    expect(estimateCost(record, tokens)).toBeCloseTo((tokens * input) / 1e6, 9);
    expect(outputPriceOf(record, tokens)).toBe(output);
  },
);
