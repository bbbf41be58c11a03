/** What the next request of a session would contain, without asking a model. */
import type { DescribeContext } from "../agent/context/context-description.ts";
import { describeRequest } from "../agent/context/describe-context.ts";
import type { TurnSetups } from "../agent/turns/set-up-turn.ts";
import type { Say } from "../infra/texts.ts";
import type { TenantStores } from "../storage/storage.ts";
import type { Route, RouteRequest } from "./route-message.ts";
import type { AllWishes } from "./turn-machinery.ts";

export interface SessionDescriptionParts {
  stores: Pick<TenantStores, "sessions" | "turns" | "entries">;
  workspaceId: string;
  setups: Pick<TurnSetups, "describe">;
  route(request: RouteRequest): Route;
  allWishes: AllWishes;
  say: Say;
}

export function createDescribeContext({
  stores,
  workspaceId,
  setups,
  route,
  allWishes,
  say,
}: SessionDescriptionParts): DescribeContext {
  return async ({ sessionKey: key, sessionId, agentId }) => {
    const routed = route({ ...(key === undefined ? {} : { sessionKey: key }), ...(agentId && { agentId }) });
    const { sessionKey } = routed;
    const session =
      sessionId === undefined
        ? await stores.sessions.findActive(workspaceId, sessionKey)
        : await stores.sessions.get(sessionId);
    // As the last turn was: who is there, and where, the session itself does not say.
    const [last] = await stores.turns.list({ limit: 1, sessionKey });
    const { destination = null, person = { role: "owner" as const, id: "cli:owner" } } = last ?? {};
    const wishes = allWishes({ destination, options: {} }, session);
    const channel = last?.origin.channel ?? "cli";
    const conversation = { sessionKey, session, destination, channel, person, wishes };
    const described = await setups.describe(routed.agentId, conversation);
    const named = { sessionKey, agentId: routed.agentId, session };
    return describeRequest({ entries: stores.entries, say }, { ...named, ...described });
  };
}
