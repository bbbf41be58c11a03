/** What models have used and cost. */
import type { BudgetView } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { timestamp } from "../../infra/clock.ts";
import { routeMessage } from "../../routing/route-message.ts";
import { agentsWithin } from "../../policy/caller.ts";
import { noTotals, type UsageTotals } from "../../storage/usage/usage.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import type { Api } from "./api.ts";
import { addTotals, usageWithin } from "../../routing/usage-within.ts";

export interface UsageApiParts {
  openedHome: Pick<OpenHome, "stores" | "clock" | "tenantId" | "workspaceId" | "defaultAgentId">;
  config(): Config;
}

/** More days than the ledger keeps. */
const mostDays = 1000;
/** Days times models: a year of a dozen models. */
const mostCells = 5000;

export function createUsageApi({ openedHome, config }: UsageApiParts): Api<"usage"> {
  const { stores, clock, tenantId, workspaceId, defaultAgentId } = openedHome;
  const { usage, sessions } = stores;

  /** An id means one session, a key all that were ever held under it. */
  async function sessionMeant(idOrKey: string): Promise<{ sessionId: string } | { sessionKey: string }> {
    const byId = await sessions.get(idOrKey);
    if (byId) return { sessionId: byId.sessionId };
    return { sessionKey: keyOf(idOrKey) };
  }

  function keyOf(sessionKey: string | undefined): string {
    const agentIds = config().agents.list.map((agent) => agent.id);
    const facts = { tenantId, workspaceId, defaultAgentId, agentIds };
    return routeMessage(sessionKey === undefined ? {} : { sessionKey }, facts).sessionKey;
  }

  return {
    async report({ sessionKey, limit = 100, ...query }) {
      const meant = { ...query, ...(sessionKey === undefined ? {} : await sessionMeant(sessionKey)) };
      const byDay = await usage.report({ ...meant, by: "day", limit: mostDays });
      return { sums: await usage.report({ ...meant, limit }), total: byDay.reduce(addTotals, noTotals()) };
    },
    async daily(query) {
      const found = await usage.daily({ ...query, limit: mostCells + 1 });
      const isCut = found.length > mostCells;
      const kept = isCut ? found.slice(1) : found;
      return { days: kept.map(({ estimated: _estimated, lastAt: _last, ...day }) => day), isCut };
    },
    async budgets() {
      const { budgets, agents } = config();
      const day = timestamp(clock).slice(0, 10);
      const agentIds = [...new Set([defaultAgentId, ...agents.list.map(({ id }) => id)])];
      const ofAgents = agentIds.map(async (agentId) =>
        spentOf(
          { scope: "agent", agentId },
          budgets.agent,
          await usage.totals({ type: "agent-day", agentId, day }),
        ),
      );
      return {
        budgets: [
          ...spentOf({ scope: "day" }, budgets.day, await usage.totals({ type: "day", day })),
          ...spentOf(
            { scope: "month" },
            budgets.month,
            await usage.totals({ type: "month", month: day.slice(0, 7) }),
          ),
          ...(await Promise.all(ofAgents)).flat(),
        ],
      };
    },
    async totals({ sessionKey }, until) {
      const { totals } = usageWithin(usage, agentsWithin(until?.caller?.scope));
      const byId = sessionKey === undefined ? undefined : await sessions.get(sessionKey);
      const active = byId ?? (await sessions.findActive(workspaceId, keyOf(sessionKey)));
      const day = timestamp(clock).slice(0, 10);
      return {
        session: active ? await totals({ type: "session", sessionId: active.sessionId }) : noTotals(),
        today: await totals({ type: "day", day }),
        month: await totals({ type: "month", month: day.slice(0, 7) }),
      };
    },
  };
}

type Whose = Pick<BudgetView, "scope" | "agentId">;
type Limits = Partial<Record<BudgetView["what"], number>>;

function spentOf(whose: Whose, limits: Limits, { calls, total, cost }: UsageTotals): BudgetView[] {
  const used = { calls, tokens: total, cost };
  return (["cost", "tokens", "calls"] as const).flatMap((what) => {
    const limit = limits[what];
    const configKey = `budgets.${whose.scope}.${what}`;
    return limit === undefined ? [] : [{ ...whose, what, used: used[what], limit, configKey }];
  });
}
