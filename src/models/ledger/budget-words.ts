/** What the user is told when a limit is reached: which one, how much, how to raise it, and how to go on. */
import { formatCost, formatCount, formatDuration } from "../../infra/format-amounts.ts";
import type { Say } from "../../infra/texts.ts";
import type { BudgetLimits, Refusal } from "./budgets.ts";

export function budgetWords({ scope, limit, allowance, used, unpriced }: Refusal, say: Say): string {
  const key = `budgets.${scope}.${limit}`;
  if (unpriced !== undefined) {
    const provider = unpriced.slice(0, unpriced.indexOf("/"));
    return say("budget.unpriced", { model: unpriced, provider, key });
  }
  const amount = amounts[limit];
  const reached = say(sentences[limit], {
    whose: say(`budget.whose.${scope}`),
    allowance: amount(allowance),
    used: amount(used),
    key,
  });
  const next = say(scope === "turn" ? "budget.next.turn" : "budget.next.other", {
    key,
    // A limit of nothing is not made more by doubling it.
    more: allowance * 2 || 1,
  });
  return `${reached} ${next}`;
}

const sentences = {
  calls: "budget.calls",
  tokens: "budget.tokens",
  cost: "budget.cost",
  wallTimeMs: "budget.time",
} as const satisfies Record<keyof BudgetLimits, string>;

const amounts: Record<keyof BudgetLimits, (value: number) => string> = {
  calls: formatCount,
  tokens: formatCount,
  cost: (value) => formatCost(value),
  wallTimeMs: formatDuration,
};
