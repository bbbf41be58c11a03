/** The memory of an agent, for its owner. */
import type { UnconfirmedLineView } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import type { MemoryService, UnconfirmedMemory } from "../../memory/following/memory.ts";
import { requireKnownAgent } from "./auth-known.ts";
import type { Api } from "./api.ts";

export interface MemoryApiParts {
  room: Pick<MemoryService, "search" | "get" | "status" | "sync" | "unconfirmed">;
  config(): Config;
  defaultAgentId: string;
}

const usualHits = 10;

export function createMemoryApi({ room, config, defaultAgentId }: MemoryApiParts): Api<"memory"> {
  const requireKnown = (agentId: string | undefined) =>
    requireKnownAgent(agentId, { agents: config().agents, defaultAgentId });
  async function waiting(agentId: string | undefined): Promise<UnconfirmedMemory> {
    requireKnown(agentId);
    return room.unconfirmed(agentId ?? defaultAgentId);
  }

  return {
    async status({ agentId }) {
      requireKnown(agentId);
      return room.status(agentId);
    },
    async search({ agentId, text, limit = usualHits }) {
      requireKnown(agentId);
      // Callers of a local API are the owner at a terminal.
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
    async unconfirmed({ agentId }) {
      return { lines: await (await waiting(agentId)).list() };
    },
    async confirm({ agentId, ref, all }) {
      if ((ref === undefined) === (all !== true)) throw failure("usage/bad-argument", "memory.confirm.which");
      const memory = await waiting(agentId);
      const refs = ref === undefined ? (await memory.list()).map((line) => line.ref) : [ref];
      const confirmed: UnconfirmedLineView[] = [];
      for (const each of refs) confirmed.push(await memory.confirm(each));
      return { confirmed };
    },
    async drop({ agentId, ref }) {
      return { dropped: await (await waiting(agentId)).drop(ref) };
    },
  };
}
