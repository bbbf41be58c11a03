/**
 * Which session a message belongs to. The owner's direct messages follow dmScope; everybody else has a session per
 * channel, account and peer from the first message on. Groups, rooms and threads always have their own session.
 */
import type { Conversation, InboundMessage, SessionScope } from "@pincer/sdk";
import type { Config } from "../config/schema.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";

export type ScopeSettings = Pick<Config["session"], "dmScope" | "identityLinks">;

/** Never throws; whether the scope can be written as a key is for `formatSessionKey` to say. */
export function scopeFor(
  message: InboundMessage,
  agentId: string,
  person: TurnPerson,
  settings: ScopeSettings,
): SessionScope {
  const { tenantId, workspaceId, peer, threadId } = message;
  const conversation = peer.kind === "user" ? direct(message, person, settings) : group(message, peer.kind);
  return {
    tenantId,
    workspaceId,
    agentId,
    conversation,
    ...(threadId !== undefined && threadId !== "" && { threadId }),
  };
}

function direct(message: InboundMessage, person: TurnPerson, settings: ScopeSettings): Conversation {
  const { channel, accountId, peer } = message;
  const { dmScope, identityLinks } = settings;
  if (person.role === "owner" && dmScope === "main") return { type: "main" };

  const here = { type: "direct", channel, peer: peer.id } as const;
  if (dmScope === "per-account-channel-peer") return { ...here, accountId };
  if (dmScope === "per-channel-peer")
    return person.role === "owner" ? here : { ...here, ...other(accountId) };

  // A linked person is the same on every channel, because the config says so. An id alone says nothing of the kind: 42 on one
  // network and 42 on another are two people, so the channel stays in the key.
  const name = linkedName(person.id, identityLinks);
  if (name !== undefined) return { type: "direct", peer: name };
  return { ...here, ...other(accountId) };
}

function group(message: InboundMessage, kind: "group" | "room"): Conversation {
  const { channel, accountId, peer } = message;
  return { type: "group", channel, ...other(accountId), kind, group: peer.id };
}

/** Two accounts of one channel may be two networks with ids of their own; the usual single account goes without saying. */
const other = (accountId: string) => (accountId === "default" ? {} : { accountId });

function linkedName(id: string, links: ScopeSettings["identityLinks"]): string | undefined {
  return Object.keys(links).find((name) => links[name]?.includes(id));
}
