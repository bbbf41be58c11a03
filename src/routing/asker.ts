/** Who asks, as a turn knows them, and which conversations are theirs. */
import { formatSessionKey, parseSessionKey, type ScopeDefaults } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import { agentsWithin, isOwner, type Caller } from "../policy/caller.ts";
import { badKey, type RouteRequest } from "./route-message.ts";
import type { CallerReach } from "../storage/inbox/inbox.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";

export interface Asker extends RouteRequest {
  person: TurnPerson;
  channel: string;
  reach: CallerReach;
}

/**
 * The owner speaks wherever they like. Anybody else has conversations of their own, whatever they name: the one without a name, and as many
 * more as they name. Throws `permission/missing` for a key of somebody else's, `session/bad-key`.
 */
export function askerOf(
  caller: Caller,
  channel: string,
  { sessionKey, agentId }: RouteRequest,
  home: ScopeDefaults,
): Asker {
  const given = {
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(agentId === undefined ? {} : { agentId }),
  };
  const reach = reachOf(caller);
  if (isOwner(caller)) return { ...given, channel, reach, person: { role: "owner", id: `${channel}:owner` } };
  const person: TurnPerson = { role: "peer", id: `${channel}:${caller.id}`, name: caller.name };
  const scope = { ...home, ...(agentId === undefined ? {} : { agentId }) };
  return { ...given, channel, reach, person, sessionKey: ownKey(caller, sessionKey, scope) };
}

/** How far their sign-in method and scope lead. */
export function reachOf({ way, scope }: Caller): CallerReach {
  const agentIds = agentsWithin(scope);
  return { isAtHome: way === "socket", ...(agentIds ? { agentIds } : {}) };
}

/** Whether somebody may see and steer a run, or read a conversation: the owner all of them, anybody else their own. */
export const isOwnConversation = (caller: Caller, sessionKey: string, home: ScopeDefaults): boolean =>
  isOwner(caller) || peerOf(sessionKey, home) === caller.id;

function ownKey(caller: Caller, sessionKey: string | undefined, scope: ScopeDefaults): string {
  const own = { type: "direct" as const, channel: "user", peer: caller.id };
  if (sessionKey === undefined) return formatSessionKey({ ...scope, conversation: own });
  const parsed = parseSessionKey(sessionKey, scope);
  if (!parsed.ok) throw badKey(parsed.reason);
  const { conversation, ...rest } = parsed.scope;
  if (conversation.type === "named") {
    return formatSessionKey({ ...rest, conversation: own, threadId: conversation.name });
  }
  if (peerOf(sessionKey, scope) === caller.id) return formatSessionKey(parsed.scope);
  throw failure(
    "permission/missing",
    "permission.foreign-session",
    { sessionKey },
    { hint: "permission.foreign-session.hint" },
  );
}

function peerOf(sessionKey: string, home: ScopeDefaults): string | undefined {
  const parsed = parseSessionKey(sessionKey, home);
  const conversation = parsed.ok ? parsed.scope.conversation : undefined;
  return conversation?.type === "direct" && conversation.channel === "user" ? conversation.peer : undefined;
}
