import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import { count, section } from "./keys.ts";

const tokensAndCost = {
  tokens: Type.Optional(count("Tokens read and written.", { minimum: 1 })),
  cost: Type.Optional(Type.Number({ description: "US dollars.", minimum: 0 })),
};
const calls = (options: { default?: number } = {}) =>
  count("Requests to models.", { minimum: 1, ...options });
const limits = (whose: string) => section(whose, { calls: Type.Optional(calls()), ...tokensAndCost });

export const budgetsSection = section(
  "Limits on what models may use; a turn that reaches one ends and says so.",
  {
    turn: section("Of one turn.", {
      calls: calls({ default: defaultConfig.budgets.turn.calls }),
      ...tokensAndCost,
      wallTimeMs: Type.Optional(count("Milliseconds since it began.", { minimum: 1 })),
    }),
    session: limits("Of one session."),
    agent: limits("Of each agent, per day (UTC)."),
    day: limits("Of all together, per day (UTC)."),
    month: limits("Of all together, per calendar month (UTC)."),
  },
);
