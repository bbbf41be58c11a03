/** Whether a request fits into its limits, and how long its answer may be. */
import type { UsageStanding } from "../../storage/usage/usage.ts";
import type { BudgetLimits, BudgetSettings, CallNeed, Refusal } from "./budgets.ts";

/** A scope that has a limit, and how it stands. */
export interface LimitedScope {
  scope: keyof BudgetSettings;
  limits: BudgetLimits;
  standing: UsageStanding;
}

export type Weighed =
  | { allowed: true; room: UsageStanding["rooms"] }
  /** `isForNow`: only what others have under way stands in the way. */
  | { allowed: false; refused: { refusal: Refusal; isForNow: boolean } };

/** Shorter than this an answer is worth nothing. */
const shortestAnswer = 256;

/** Rather than be cut off before this, an answer waits until others are done. */
const fairAnswer = 4096;

export function weighRequest(scopes: readonly LimitedScope[], need: CallNeed): Weighed {
  const unpriced = need.isPriced ? undefined : scopes.find(({ limits }) => limits.cost !== undefined);
  if (unpriced) {
    const refusal = { ...refusalOf(unpriced, "cost"), unpriced: `${need.provider}/${need.model}` };
    return { allowed: false, refused: { refusal, isForNow: false } };
  }
  const most = Math.floor(need.maxOutput);
  const later = narrowest(scopes, need, "later");
  if (later && later.room < Math.min(shortestAnswer, most))
    return { allowed: false, refused: { refusal: later.refusal, isForNow: false } };
  const now = narrowest(scopes, need, "now");
  if (now && later && now.room < later.room && now.room < Math.min(fairAnswer, most))
    return { allowed: false, refused: { refusal: now.refusal, isForNow: true } };
  const tokens = Math.min(most, now?.room ?? most);
  return { allowed: true, room: { tokens, cost: (tokens * need.outputPrice) / 1_000_000 } };
}

interface Narrow {
  /** In tokens of the answer; below zero where not even the question fits. */
  room: number;
  refusal: Refusal;
}

/** The limit that leaves the least: as things stand, or if nothing of what is under way came to anything. */
function narrowest(
  scopes: readonly LimitedScope[],
  need: CallNeed,
  when: "now" | "later",
): Narrow | undefined {
  let least: Narrow | undefined;
  for (const scope of scopes) {
    for (const { limit, room } of roomsOf(scope, need, when)) {
      if (least && room >= least.room) continue;
      least = { room, refusal: refusalOf(scope, limit) };
    }
  }
  return least;
}

/** Sums of prices are not exact to the last bit. */
const dust = 1e-9;

function* roomsOf(
  { limits: { calls, tokens, cost }, standing: { used, underWay, rooms } }: LimitedScope,
  { inputTokens, inputCost, outputPrice }: CallNeed,
  when: "now" | "later",
): Generator<{ limit: keyof BudgetLimits; room: number }> {
  const isNow = when === "now";
  if (calls !== undefined) {
    const made = used.calls - (isNow ? 0 : underWay.calls);
    yield { limit: "calls", room: made + 1 > calls ? -Infinity : Infinity };
  }
  if (tokens !== undefined) {
    const taken = used.tokens + (isNow ? rooms.tokens : -underWay.tokens);
    yield { limit: "tokens", room: Math.floor(tokens - taken - inputTokens) };
  }
  if (cost !== undefined) {
    const left = cost - used.cost - (isNow ? rooms.cost : -underWay.cost) - inputCost + dust;
    const room = outputPrice > 0 ? Math.floor((left * 1_000_000) / outputPrice) : Infinity;
    yield { limit: "cost", room: left < 0 ? -Infinity : room };
  }
}

const refusalOf = (
  { scope, limits, standing: { used } }: LimitedScope,
  limit: keyof BudgetLimits,
): Refusal => ({
  allowed: false,
  scope,
  limit,
  allowance: limits[limit] ?? 0,
  used: limit === "wallTimeMs" ? 0 : used[limit],
});
