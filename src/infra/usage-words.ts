/** Usage in one line for each of the session, the day and the month. */
import type { UsageView } from "@pincer/sdk";
import { formatCost, formatCount, formatShare } from "./format-amounts.ts";
import type { Say, TextKey } from "./texts.ts";

export interface UsageOverview {
  session: UsageView;
  /** Of everything together; left out where that is nobody's business. */
  today?: UsageView;
  month?: UsageView;
}

export function usageWords(overview: UsageOverview, kind: "usage" | "cost", say: Say): string {
  const { session, today, month } = overview;
  const line = (whose: TextKey, amounts: UsageView) =>
    say(keyOf(kind, amounts), {
      whose: say(whose),
      ...usageAmounts(amounts),
    });
  return [
    line("usage.whose.session", session),
    ...(today ? [line("usage.whose.today", today)] : []),
    ...(month ? [line("usage.whose.month", month)] : []),
  ].join("\n");
}

function keyOf(kind: "usage" | "cost", { calls }: UsageView): TextKey {
  if (kind === "cost") return "usage.cost-line";
  return calls === 1 ? "usage.line.one" : "usage.line";
}

/** Each amount as people read it; `cached` is the part of the input that the provider had already. */
export function usageAmounts(
  amounts: UsageView,
): Record<"calls" | "failures" | "input" | "cached" | "output" | "cost", string> {
  const input = amounts.input + amounts.cacheRead + amounts.cacheWrite;
  return {
    calls: formatCount(amounts.calls),
    failures: formatCount(amounts.failures),
    input: formatCount(input),
    cached: formatShare(amounts.cacheRead, input),
    output: formatCount(amounts.output),
    cost: costWords(amounts),
  };
}

/** `?` for what nobody knows the price of, alone or beside what is known. */
function costWords({ cost, estimated, unpriced, calls }: UsageView): string {
  if (unpriced > 0 && unpriced === calls && cost === 0) return "?";
  return `${formatCost(cost, { estimated: estimated > 0 })}${unpriced > 0 ? " + ?" : ""}`;
}
