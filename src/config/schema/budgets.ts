import { Type } from "typebox";
import { count, described, section } from "./keys.ts";

const tokensAndCost = {
  tokens: Type.Optional(count("Tokens read and written.", "读写的 token 数。", { minimum: 1 })),
  cost: Type.Optional(Type.Number({ ...described("US dollars.", "美元。"), minimum: 0 })),
};
const calls = (options: { default?: number } = {}) =>
  count("Requests to models.", "对模型的请求数。", { minimum: 1, ...options });
const limits = (en: string, zh: string) =>
  section(en, zh, { calls: Type.Optional(calls()), ...tokensAndCost });

export const budgetsSection = section(
  "Limits on the use of models; a turn that reaches one ends and says so.",
  "模型用量的限制；达到限制的回合会结束并说明。",
  {
    turn: section("For one turn.", "单个回合。", {
      calls: calls({ default: 200 }),
      ...tokensAndCost,
      wallTimeMs: Type.Optional(
        count("Milliseconds since it started.", "自开始起的毫秒数。", { minimum: 1 }),
      ),
    }),
    session: limits("For one session.", "单个会话。"),
    agent: limits("For each agent, per day (UTC).", "每个智能体每天（UTC）。"),
    day: limits("In total, per day (UTC).", "全部合计每天（UTC）。"),
    month: limits("In total, per calendar month (UTC).", "全部合计每个自然月（UTC）。"),
  },
);
