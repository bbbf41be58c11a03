import { expect, it } from "vitest";
import { measureConversations } from "../bench/conversations.ts";

/** Measured with version 0.11.0, which showed everything again. */
const before = { requests: 173, tokens: 523_703 };

it("fifty conversations take at most 1.3 times the requests and tokens that they took when all was shown again", async () => {
  const figures = await measureConversations();
  expect(figures).toMatchObject({ conversations: 50, turns: 121, forgotten: [], recallsForLast: 0 });
  expect(figures.requests).toBeLessThanOrEqual(1.3 * before.requests);
  expect(figures.tokens).toBeLessThanOrEqual(1.3 * before.tokens);
});
