/** The totals of the ledger within a caller's reach: a caller confined to some agents sees only what those have used. */
import { noTotals, type UsageStore, type UsageTotals } from "../storage/usage/usage.ts";

type Totals = Pick<UsageStore, "totals">;

/** Of turns and sessions nothing is left out: that they are within reach was seen to before. */
export function usageWithin(usage: Totals, reached: readonly string[] | undefined): Totals {
  if (!reached) return usage;
  const agentIds = [...new Set(reached)];
  const ofDays = async (days: string[]) => {
    const asked = agentIds.flatMap((agentId) =>
      days.map((day) => usage.totals({ type: "agent-day", agentId, day })),
    );
    return (await Promise.all(asked)).reduce(addTotals, noTotals());
  };
  return {
    async totals(of) {
      if (of.type === "day") return ofDays([of.day]);
      if (of.type === "month") return ofDays(daysOf(of.month));
      return usage.totals(of);
    },
  };
}

export const addTotals = (sum: UsageTotals, each: UsageTotals): UsageTotals => ({
  calls: sum.calls + each.calls,
  failures: sum.failures + each.failures,
  estimated: sum.estimated + each.estimated,
  unpriced: sum.unpriced + each.unpriced,
  input: sum.input + each.input,
  output: sum.output + each.output,
  cacheRead: sum.cacheRead + each.cacheRead,
  cacheWrite: sum.cacheWrite + each.cacheWrite,
  total: sum.total + each.total,
  cost: sum.cost + each.cost,
});

/** As many as the longest has: of a day that there is not nothing was used. */
const daysOf = (month: string): string[] =>
  Array.from({ length: 31 }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`);
