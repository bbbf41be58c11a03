/** Maps between sessions and places: which session a text names, and where its messages are read. */
import { formatSessionKey, parseSessionKey, type Destination, type SessionScope } from "@pincer/sdk";
import { defaultAccountId } from "../accounts.ts";
import type { Config } from "../../config/schema.ts";
import type { SessionRecord, SessionStore } from "../../storage/stores.ts";
import type { TurnStore } from "../../storage/turns/turns.ts";

export interface SessionPlacesParts {
  config(): Config;
  sessions: Pick<SessionStore, "findActive" | "get">;
  turns: Pick<TurnStore, "list">;
  tenantId: string;
  workspaceId: string;
}

export interface SessionPlaces {
  /** By its key in any spelling, or by the id of an ended one; only of this agent. */
  find(text: string, agentId: string): Promise<SessionRecord | undefined>;
  /** Where the answers of this session are read; undefined for another agent's key, and if unknown. */
  destinationOf(key: string, agentId: string): Promise<Destination | undefined>;
}

/** How many turns back to search for the last answer. */
const mostTurns = 20;

export function createSessionPlaces(parts: SessionPlacesParts): SessionPlaces {
  const { sessions, turns, tenantId, workspaceId } = parts;

  function readKey(text: string, agentId: string): SessionScope | undefined {
    const parsed = parseSessionKey(text, { tenantId, workspaceId, agentId });
    if (!parsed.ok) return undefined;
    const { scope } = parsed;
    const isOurs =
      scope.agentId === agentId && scope.tenantId === tenantId && scope.workspaceId === workspaceId;
    return isOurs ? scope : undefined;
  }

  /** For sessions that span several channels only the last answer tells the place. */
  async function lastAnswered(sessionKey: string): Promise<Destination | undefined> {
    const recent = await turns.list({ sessionKey, limit: mostTurns });
    const heard = recent.find((turn) => turn.workspaceId === workspaceId && turn.destination !== null);
    return heard?.destination ?? undefined;
  }

  return {
    async find(text, agentId) {
      const byId = await sessions.get(text.trim());
      if (byId) return byId.agentId === agentId && byId.workspaceId === workspaceId ? byId : undefined;
      const scope = readKey(text, agentId);
      return scope && sessions.findActive(workspaceId, formatSessionKey(scope));
    },
    async destinationOf(key, agentId) {
      const scope = readKey(key, agentId);
      if (!scope) return undefined;
      const { conversation, threadId } = scope;
      const thread = threadId === undefined ? {} : { threadId };
      const sessionKey = formatSessionKey(scope);
      if (conversation.type === "group") {
        const { channel, accountId = defaultAccountId, kind, group } = conversation;
        return { channel, accountId, target: { peerKind: kind, peerId: group, ...thread } };
      }
      if (conversation.type !== "direct" || conversation.channel === undefined)
        return lastAnswered(sessionKey);
      const { channel, peer } = conversation;
      const known = await sessions.findActive(workspaceId, sessionKey);
      const accountId = conversation.accountId ?? known?.origin.accountId ?? defaultAccountId;
      return { channel, accountId, target: { peerKind: "user", peerId: peer, ...thread } };
    },
  };
}
