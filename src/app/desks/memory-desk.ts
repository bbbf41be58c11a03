/** What an agent remembers, for its owner. */
import type { Config } from "../../config/schema.ts";
import type { MemoryRoom } from "../memory/memory-room-door.ts";
import { requireKnownAgent } from "./auth-known.ts";
import type { Desk } from "./desk.ts";

export interface MemoryDeskParts {
  room: Pick<MemoryRoom, "search" | "get" | "status" | "sync">;
  config(): Config;
  defaultAgentId: string;
}

const usualHits = 10;

export function createMemoryDesk({ room, config, defaultAgentId }: MemoryDeskParts): Desk<"memory"> {
  const requireKnown = (agentId: string | undefined) =>
    requireKnownAgent(agentId, { agents: config().agents, defaultAgentId });

  return {
    async status({ agentId }) {
      requireKnown(agentId);
      return room.status(agentId);
    },
    async search({ agentId, text, limit = usualHits }) {
      requireKnown(agentId);
      // Whoever reaches a desk is the owner at a terminal.
      return room.search({ agentId: agentId ?? defaultAgentId, text, limit, chat: "owner" });
    },
    async get({ agentId, ...request }) {
      requireKnown(agentId);
      return room.get({ ...request, agentId: agentId ?? defaultAgentId, chat: "owner" });
    },
    async index({ agentId, rebuild, embed }, until) {
      requireKnown(agentId);
      return room.sync({
        ...(agentId === undefined ? {} : { agentId }),
        ...(rebuild === undefined ? {} : { rebuild }),
        ...(embed === undefined ? {} : { embed }),
        ...(until ? { signal: until.signal } : {}),
      });
    },
  };
}
