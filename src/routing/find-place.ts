/** Where a message belongs: agent, session, and the one destination of its answer. */
import { formatSessionKey, type Destination, type InboundMessage } from "@pincer/sdk";
import type { QueueMode, TurnPerson } from "../storage/turns/turns.ts";
import type { OpenSession } from "../storage/stores.ts";
import { findAgent, type AgentFacts } from "./find-agent.ts";
import { scopeFor, type ScopeSettings } from "./session-scope.ts";

/** What the config says about routing, read anew for each message. */
export interface RoutingSettings extends AgentFacts, ScopeSettings {
  queueMode: QueueMode;
  queueCap: number;
  debounceMs: number;
  commandPrefixes: readonly string[];
  /** Whether an owner's line behind a comma that is no command goes to the shell, away from the terminal too. */
  shellPassthrough: boolean;
  workdirOf(agentId: string): string;
}

export interface Place {
  session: OpenSession;
  /** What decided. */
  rule: string;
  destination: Destination;
  /** In a group the answer names what it answers; a direct chat needs no such thing. */
  replyTo: string | undefined;
}

/** Throws `session/bad-key` when the ids of the message cannot make a session key. */
export function findPlace(message: InboundMessage, person: TurnPerson, settings: RoutingSettings): Place {
  const { channel, accountId, peer, threadId } = message;
  const { agentId, rule } = findAgent(message, settings);
  const scope = scopeFor(message, agentId, person, settings);
  const session: OpenSession = {
    sessionKey: formatSessionKey(scope),
    workspaceId: message.workspaceId,
    agentId,
    origin: {
      channel,
      accountId,
      peerKey: `${peer.kind}:${peer.id}`,
      ...(threadId !== undefined && { threadKey: threadId }),
      ...(peer.name !== undefined && { subject: peer.name }),
    },
    cwd: settings.workdirOf(agentId),
  };
  return {
    session,
    rule,
    destination: destinationOf(message),
    replyTo: peer.kind === "user" ? undefined : message.message.id,
  };
}

/** Back to where it came from, and nowhere else. */
export function destinationOf({ channel, accountId, peer, threadId }: InboundMessage): Destination {
  const thread = threadId === undefined ? {} : { threadId };
  return { channel, accountId, target: { peerKind: peer.kind, peerId: peer.id, ...thread } };
}
