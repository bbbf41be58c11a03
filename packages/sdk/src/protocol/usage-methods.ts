/** What models have used, in total and per day, and how much of each limit is left. */
import { Type } from "typebox";
import { answer, limit, method, moment, name } from "./method.ts";

export const usageMethods = {
  /**
   * Usage grouped by `by`, the most expensive first. `from` and `to` are timestamps; `to` is exclusive. `sessionKey`
   * is an id or a key in any spelling.
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
  /** For one session, and for everything today and this month (UTC). */
  "usage.totals": method({
    params: { sessionKey: Type.Optional(Type.String({ maxLength: 1024 })) },
    result: answer<{ session: UsageView; today: UsageView; month: UsageView }>(),
    effect: "read",
    permission: "state.view",
    scope: "session",
  }),
  /** Usage per day (UTC), grouped by `by`, in order of the days; `to` is exclusive. */
  "usage.daily": method({
    params: {
      by: Type.Enum(["model", "agent", "session", "credential"]),
      from: moment,
      to: moment,
      agentId: Type.Optional(name),
    },
    /** `isCut`: there were more rows than returned; the sums per day are then incomplete. */
    result: answer<{ days: UsageDayView[]; isCut: boolean }>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /** Each limit that the config sets on a day, a month or an agent's day (UTC), and how much of it is used. */
  "usage.budgets": method({
    params: {},
    result: answer<{ budgets: BudgetView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
};

/** Tokens as providers counted them; `input` excludes what came from the cache. Cost in US dollars. */
export interface UsageView {
  calls: number;
  failures: number;
  /** Calls whose tokens Pincer had to count itself. */
  estimated: number;
  /** Calls of models with unknown prices: their cost is not in the sum. */
  unpriced: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
}

/** The sums of one day; only the amounts that the chart shows. */
export interface UsageDayView extends Omit<UsageView, "estimated"> {
  /** `YYYY-MM-DD`. */
  day: string;
  key: string;
}

export interface BudgetView {
  scope: "day" | "month" | "agent";
  /** For an agent's limit. */
  agentId?: string;
  what: "calls" | "tokens" | "cost";
  used: number;
  limit: number;
  /** The config key. */
  configKey: string;
}
