/** A single call of a tool outside of any turn: what the gate would decide, or the call itself, made directly by the owner. */
import type { ToolResult } from "@pincer/sdk";
import type { Effects } from "../agent/effects/effects.ts";
import type { TurnSetups } from "../agent/turns/set-up-turn.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import type { Config } from "../config/schema.ts";
import { explainedPlace, explanationOf, type ExplainCall } from "../gate/explain-call.ts";
import { manualCall } from "../gate/manual-call.ts";
import type { Ids } from "../infra/ids.ts";
import type { TenantStores } from "../storage/storage.ts";
import type { Route, RouteRequest } from "./route-message.ts";
import type { AllWishes } from "./turn-machinery.ts";

export interface InvokedTool {
  name: string;
  /** Whatever was written: what is no object is refused by the tool's own check. */
  arguments: unknown;
  agentId?: string | undefined;
  workdir?: string | undefined;
}

export interface ExplainParts {
  stores: Pick<TenantStores, "sessions" | "turns" | "pairing">;
  workspaceId: string;
  config(): Config;
  setups: Pick<TurnSetups, "explain">;
  route(request: RouteRequest): Route;
  allWishes: AllWishes;
}

export function createExplainCall({
  stores,
  workspaceId,
  config,
  setups,
  route,
  allWishes,
}: ExplainParts): ExplainCall {
  return async ({ tool, arguments: given, as = {} }) => {
    const { sessionKey, agentId } = route({
      ...(as.sessionKey === undefined ? {} : { sessionKey: as.sessionKey }),
      ...(as.agentId === undefined ? {} : { agentId: as.agentId }),
    });
    const session = await stores.sessions.findActive(workspaceId, sessionKey);
    const [last] = await stores.turns.list({ limit: 1, sessionKey });
    const claimed = await stores.pairing.listOwners();
    const owners = [...config().owners, ...claimed.map(({ channel, senderId }) => `${channel}:${senderId}`)];
    const asked = explainedPlace(as, last, owners);
    const wishes = allWishes({ destination: asked.destination, options: {} }, session);
    const explained = await setups.explain(
      agentId,
      { ...asked, sessionKey, session, last, wishes },
      given === undefined ? { name: tool } : manualCall({ name: tool, arguments: given }),
    );
    return explanationOf(explained);
  };
}

export interface InvokeParts {
  ids: Ids;
  setups: Pick<TurnSetups, "byHand">;
  effects: Pick<Effects, "turnEnded">;
  route(request: RouteRequest): Route;
  /** What holds where the call says nothing else. */
  wishes: TurnWishes | undefined;
}

/** As the owner of the home: nobody else can ask this way. */
export function createInvokeTool({ ids, setups, effects, route, wishes: usual }: InvokeParts) {
  return async (call: InvokedTool, signal: AbortSignal): Promise<ToolResult> => {
    const { sessionKey, agentId } = route(call.agentId === undefined ? {} : { agentId: call.agentId });
    const wishes = { ...usual, ...(call.workdir === undefined ? {} : { workdir: call.workdir }) };
    const person = { role: "owner" as const, id: "cli:owner" };
    const id = ids.make("h");
    const place = { sessionKey, channel: "cli", person, wishes, destination: null };
    const gated = await setups.byHand(agentId, place, id);
    return gated.call(manualCall(call), signal).finally(() => effects.turnEnded(id));
  };
}
