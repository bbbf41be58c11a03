/** A request that is over, as the ledger would have written it. */
import type { UsageDraft, UsageJudge, UsageStore } from "../usage.ts";

export async function addUsage(
  usage: Pick<UsageStore, "open" | "settle">,
  draft: UsageDraft,
  { isUnpriced = false, judge = noJudge }: { isUnpriced?: boolean; judge?: UsageJudge<never> } = {},
): Promise<void> {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 };
  const opened = await usage.open({ ...draft, usage: nothing, isUnpriced, holder: someHolder() }, judge);
  if (!opened.opened) throw new Error("nothing was there to refuse it");
  await usage.settle(opened.position, draft);
}

export const someHolder = (id = "h") => ({ id, pid: 1, host: "here", processStart: "1" });

export const noJudge: UsageJudge<never> = {
  scopes: [],
  isGone: () => false,
  decide: () => ({ allowed: true, room: { tokens: 0, cost: 0 } }),
};
