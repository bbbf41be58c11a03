import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { budgetWords } from "./budget-words.ts";

const say = createSay("en");

it("MODEL-05 says which limit was reached, how much it is, how to raise it, and how to go on", () => {
  const calls = { allowed: false, scope: "turn", limit: "calls", allowance: 200, used: 200 } as const;
  expect(budgetWords(calls, say)).toBe(
    "This turn has used its 200 model calls (budgets.turn.calls). Send /continue to go on with the same amount again. To raise the limit: pincer config set budgets.turn.calls 400",
  );
  expect(budgetWords(calls, createSay("zh"))).toContain("本轮已用完 200 次模型调用（budgets.turn.calls）");
});

it("MODEL-05 says money as money, tokens as tokens and time as time", () => {
  const refused = { allowed: false } as const;
  const cost = { ...refused, scope: "day", limit: "cost", allowance: 5, used: 4.9876 } as const;
  expect(budgetWords(cost, say)).toContain("today (UTC), has cost $4.99 of its $5.00 (budgets.day.cost)");
  expect(budgetWords(cost, say)).toContain("pincer config set budgets.day.cost 10");
  const tokens = {
    ...refused,
    scope: "session",
    limit: "tokens",
    allowance: 1_000_000,
    used: 999_000,
  } as const;
  expect(budgetWords(tokens, say)).toContain("This session has used 999,000 of its 1,000,000 tokens");
  const time = { ...refused, scope: "turn", limit: "wallTimeMs", allowance: 600_000, used: 605_000 } as const;
  expect(budgetWords(time, say)).toContain("has taken 10.1 min; the limit is 10 min");
});

it("MODEL-05 says how to give a price, or take the limit away, where nobody knows what a model costs", () => {
  const unpriced = "mine/family/m";
  const amounts = { allowance: 5, used: 0, unpriced };
  const refusal = { allowed: false, scope: "day", limit: "cost", ...amounts } as const;
  expect(budgetWords(refusal, say)).toBe(
    "There is a spending limit (budgets.day.cost), but the price of mine/family/m is unknown. Set its price (models.providers.mine.models[].cost, 0 if it is free), or remove the limit: pincer config unset budgets.day.cost. Then send /continue.",
  );
  expect(budgetWords(refusal, createSay("zh"))).toContain("models.providers.mine.models[].cost");
});
