/** Calls in the ledger, for tests that need some. */
import type { UsageDraft, UsageJudge, UsageStore } from "../usage/usage.ts";

/** A call of some turn, and whatever is said of it besides. */
export const someCall = (more: Partial<UsageDraft> = {}): UsageDraft => ({
  turnId: "r_1",
  sessionId: "s_1",
  sessionKey: "main",
  agentId: "main",
  provider: "p",
  model: "m",
  credential: null,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2, cost: 1 },
  outcome: "ok",
  startedAt: "2026-01-01T12:00:00.000Z",
  durationMs: 1,
  firstByteMs: 1,
  ...more,
});

/** A request that is over, as the ledger would have written it. */
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
