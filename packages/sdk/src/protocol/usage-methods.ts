/** What models have used, day by day, and how much of the limits on it is left. */
import { Type, type TObject } from "typebox";
import { moment, name, read, type Method } from "./method.ts";

export const usageMethods = {
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

/** Sums of one day; only the amounts that are drawn. */
export interface UsageDayView {
  /** `YYYY-MM-DD`. */
  day: string;
  key: string;
  calls: number;
  failures: number;
  unpriced: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
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
  /** `isCut`: there were more than are told; the sums of the days are not whole then. */
  "usage.daily": { days: UsageDayView[]; isCut: boolean };
  "usage.budgets": { budgets: BudgetView[] };
}
