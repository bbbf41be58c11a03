/** Whose question it is, which agent answers it and in which session. */
import { formatSessionKey, parseSessionKey, type ScopeDefaults, type SessionScope } from "@pincer/sdk";
import type { Question, QuestionPlace } from "./openai-api.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { ModelWish } from "../../models/choose-model.ts";
import { isOwner, type Caller } from "../../policy/caller.ts";
import { holds } from "../../policy/permission-points.ts";
import { isOnceName, onceName } from "../../storage/sessions/once-session.ts";
import type { Route, RouteRequest } from "../../routing/route-message.ts";
import type { TurnStore } from "../../storage/turns/turns.ts";
import { askerOf, isOwnConversation, type Asker } from "../../routing/asker.ts";

export interface PlaceParts {
  /** What a session key leaves out; its agent is the default one. */
  home: ScopeDefaults;
  ids: Pick<Ids, "make">;
  turns: Pick<TurnStore, "get">;
  route(request: RouteRequest): Route;
}

/** The channel of these questions. */
export const httpChannel = "http";

/**
 * Throws PincerError: `usage/not-found` for an agent or a run that is not there for them, `permission/missing` for a session of others, and
 * for a model or an effort that they may not choose.
 */
export async function placeQuestion(
  parts: PlaceParts,
  caller: Caller,
  { model, place, thinking }: Pick<Question, "model" | "place" | "thinking">,
): Promise<{ asker: Asker; wish: ModelWish }> {
  const named = readModel(model);
  if (named.type === "model") requireChoice(caller, "model");
  if (thinking !== undefined) requireChoice(caller, "thinking");
  const agentId = named.type === "agent" ? named.agentId : undefined;
  const home = { ...parts.home, ...(agentId === undefined ? {} : { agentId }) };
  const sessionKey = await keyOf(parts, caller, home, place);
  const asked = { sessionKey, ...(agentId === undefined ? {} : { agentId }) };
  const asker = askerOf(caller, httpChannel, asked, parts.home);
  const route = parts.route(asker);
  if (agentId !== undefined && route.agentId !== agentId) {
    throw failure("usage/bad-argument", "openai.other-agent", {
      session: sessionKey,
      agentId: route.agentId,
    });
  }
  if (!reaches(caller, route.agentId)) throw failure("usage/not-found", "openai.no-model", { model });
  return { asker, wish: named.type === "model" ? { model } : {} };
}

/** Whether an agent is within what the caller reaches. */
export function reaches({ scope }: Pick<Caller, "scope">, agentId: string): boolean {
  if (scope.type === "agent") return scope.agentIds.includes(agentId);
  return scope.type === "tenant" || scope.workspaceIds.length > 0;
}

/** Who answers and how long they think costs money: for those to choose who may set it, by this door as by any other. */
function requireChoice({ role }: Caller, wish: "model" | "thinking"): void {
  if (!holds(role, "models.policy")) throw failure("permission/missing", "permission.owner-wish", { wish });
}

/** What an agent is called as a model. */
export const modelName = (agentId: string): string => `${product}/${agentId}`;
export const product = "pincer";

function readModel(model: string): { type: "agent"; agentId: string | undefined } | { type: "model" } {
  if (model === product) return { type: "agent", agentId: undefined };
  if (model.startsWith(`${product}/`)) return { type: "agent", agentId: model.slice(product.length + 1) };
  return { type: "model" };
}

async function keyOf(
  { ids, turns, home: own }: PlaceParts,
  caller: Caller,
  home: ScopeDefaults,
  place: QuestionPlace,
): Promise<string> {
  switch (place.type) {
    case "alone":
      return formatSessionKey(conversationOf(caller, home, onceName(ids.make("x")), "alone"));
    case "user":
      return formatSessionKey(conversationOf(caller, home, unreserved(place.name), "lasting"));
    case "session": {
      const parsed = parseSessionKey(place.key, home);
      return parsed.ok ? formatSessionKey(parsed.scope) : place.key;
    }
    case "after": {
      const turn = await turns.get(place.runId);
      const isTheirs =
        turn?.origin.channel === httpChannel && isOwnConversation(caller, turn.sessionKey, own);
      if (turn && isTheirs) return turn.sessionKey;
      throw failure("message/not-found", "openai.no-response", { id: `resp_${place.runId}` });
    }
  }
}

/** The owner names any session, or none; everybody else has threads of one conversation. */
function conversationOf(
  caller: Caller,
  home: ScopeDefaults,
  name: string,
  how: "alone" | "lasting",
): SessionScope {
  if (!isOwner(caller)) {
    return { ...home, conversation: { type: "direct", channel: "user", peer: caller.id }, threadId: name };
  }
  return how === "alone"
    ? { ...home, conversation: { type: "named", name } }
    : { ...home, conversation: { type: "direct", channel: httpChannel, peer: name } };
}

function unreserved(name: string): string {
  if (!isOnceName(name)) return name;
  throw failure("usage/bad-argument", "openai.reserved-name", { param: "user", prefix: onceName("") });
}
