/** What models have used, in sums and day by day, and how much of the limits on it is left. */
import { Type } from "typebox";
import { answer, limit, method, moment, name } from "./method.ts";

export const usageMethods = {
  /**
   * What models have used, summed by what `by` names, the most expensive first. `from` and `to` are moments; `to` is not within.
   * `sessionKey` is an id or a key in any spelling.
   */
  "usage.report": method({
    params: {
      by: Type.Enum(["model", "session", "agent", "day", "credential"]),
      from: moment,
      to: moment,
      sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
      agentId: Type.Optional(name),
      limit,
    },
    result: answer<{ sums: Array<UsageView & { key: string; lastAt: string }>; total: UsageView }>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /** Of one session, and of everything today and this month (UTC). */
  "usage.totals": method({
    params: { sessionKey: Type.Optional(Type.String({ maxLength: 1024 })) },
    result: answer<{ session: UsageView; today: UsageView; month: UsageView }>(),
    effect: "read",
    permission: "state.view",
    scope: "session",
  }),
  /** Sums for each day (UTC) and each of what `by` names, in order of the days; `to` is not within. */
  "usage.daily": method({
    params: {
      by: Type.Enum(["model", "agent", "session", "credential"]),
      from: moment,
      to: moment,
      agentId: Type.Optional(name),
    },
    /** `isCut`: there were more than are told; the sums of the days are not whole then. */
    result: answer<{ days: UsageDayView[]; isCut: boolean }>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /** Each limit that the config sets on a day, a month or an agent's day (UTC), and what of it is used. */
  "usage.budgets": method({
    params: {},
    result: answer<{ budgets: BudgetView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
};

/** Tokens as providers counted them; `input` without what came from the cache. Cost in US dollars. */
export interface UsageView {
  calls: number;
  failures: number;
  /** Calls whose tokens we had to count ourselves. */
  estimated: number;
  /** Calls of models whose price nobody knows: their cost is not in the sum. */
  unpriced: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
}

/** Sums of one day; only the amounts that are drawn. */
export interface UsageDayView extends Omit<UsageView, "estimated"> {
  /** `YYYY-MM-DD`. */
  day: string;
  key: string;
}

export interface BudgetView {
  scope: "day" | "month" | "agent";
  /** Of an agent's. */
  agentId?: string;
  what: "calls" | "tokens" | "cost";
  used: number;
  limit: number;
  /** Where it is set. */
  configKey: string;
}
