/** What models have used, in sums and day by day, and how much of the limits on it is left. */
import { Type, type TObject } from "typebox";
import { limit, moment, name, read, type Method } from "./method.ts";

export const usageMethods = {
  /**
   * What models have used, summed by what `by` names, the most expensive first. `from` and `to` are moments; `to` is not within. `session`
   * is an id or a key in any spelling.
   */
  "usage.report": read({
    by: Type.Enum(["model", "session", "agent", "day", "credential"]),
    from: moment,
    to: moment,
    session: Type.Optional(Type.String({ maxLength: 1024 })),
    agentId: Type.Optional(name),
    limit,
  }),
  /** Of one session, and of everything today and this month (UTC). */
  "usage.totals": read({ session: Type.Optional(Type.String({ maxLength: 1024 })) }),
  /** Sums for each day (UTC) and each of what `by` names, in order of the days; `to` is not within. */
  "usage.daily": read({
    by: Type.Enum(["model", "agent", "session", "credential"]),
    from: moment,
    to: moment,
    agentId: Type.Optional(name),
  }),
  /** Each limit that the config sets on a day, a month or an agent's day (UTC), and what of it is used. */
  "usage.budgets": read({}),
} as const satisfies Record<string, Method<TObject>>;

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

export interface UsageResults {
  "usage.report": { sums: Array<UsageView & { key: string; lastAt: string }>; total: UsageView };
  "usage.totals": { session: UsageView; today: UsageView; month: UsageView };
  /** `isCut`: there were more than are told; the sums of the days are not whole then. */
  "usage.daily": { days: UsageDayView[]; isCut: boolean };
  "usage.budgets": { budgets: BudgetView[] };
}
