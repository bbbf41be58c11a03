import { parseSessionKey } from "@pincer/sdk";
import type { ScopeLookups } from "../policy/method-access.ts";
import type { OpenHome } from "../storage/home/open-home.ts";

/** Whose a session or a run is, by what is stored; a key of a session that is not there yet says it itself. */
export function scopeLookups({
  stores,
  tenantId,
  workspaceId,
  defaultAgentId,
}: Pick<OpenHome, "stores" | "tenantId" | "workspaceId" | "defaultAgentId">): ScopeLookups {
  return {
    async agentOfSession(idOrKey) {
      const found = await stores.sessions.get(idOrKey);
      if (found) return found.agentId;
      const parsed = parseSessionKey(idOrKey, { tenantId, workspaceId, agentId: defaultAgentId });
      return parsed.ok && parsed.scope.tenantId === tenantId ? parsed.scope.agentId : undefined;
    },
    async agentOfRun(runId) {
      const turn = await stores.turns.get(runId);
      // The run of a command is its message.
      return turn ? turn.agentId : (await stores.inbox.get(runId))?.asked?.session.agentId;
    },
  };
}
