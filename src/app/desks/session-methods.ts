/** Sessions over open stores, one page at a time. */
import type { Entry } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import { routeMessage } from "../../routing/route-message.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import { deleteSession } from "../delete-session.ts";
import { importSessions } from "../import-sessions.ts";
import type { Ground } from "../open-ground.ts";
import type { Desk } from "./desk.ts";

/** So that a page fits into a frame several times over; one entry always goes. */
const pageCharacters = 1_000_000;

export function createSessionMethods({
  ground,
  config,
  say,
}: {
  ground: Pick<
    Ground,
    "stores" | "leases" | "transcripts" | "mirror" | "tenantId" | "workspaceId" | "defaultAgentId"
  >;
  config(): Config;
  say: Say;
}): Desk<"sessions"> {
  const { stores, tenantId, workspaceId, defaultAgentId, leases, transcripts, mirror } = ground;
  const { sessions } = stores;

  async function find(idOrKey: string): Promise<SessionRecord> {
    const byId = await sessions.get(idOrKey);
    if (byId) return byId;
    const agentIds = config().agents.list.map((agent) => agent.id);
    const route = routeMessage({ sessionKey: idOrKey }, { tenantId, workspaceId, defaultAgentId, agentIds });
    const byKey = await sessions.findActive(workspaceId, route.sessionKey);
    if (byKey) return byKey;
    const hint = "failure.no-session.hint";
    throw failure("session/not-found", "failure.no-session", { id: idOrKey }, { hint });
  }

  return {
    list: ({ limit = 50, ...query }) => sessions.list({ limit, ...query }),
    find: ({ idOrKey }) => find(idOrKey),
    entries: async ({ sessionId, after, limit = 500 }) => ({
      entries: fitting(await stores.entries.after(sessionId, after, limit)),
    }),
    async delete({ sessionId }) {
      const session = await sessions.get(sessionId);
      if (session) await deleteSession(session, { sessions, leases, transcripts });
      return { deleted: sessionId };
    },
    import: ({ paths, language }, until) =>
      importSessions(paths, {
        sessions,
        leases,
        tenantId,
        mirror,
        signal: until?.signal ?? new AbortController().signal,
        say: language ? createSay(language) : say,
      }),
  };
}

function fitting(page: Entry[]): Entry[] {
  let size = 0;
  const end = page.findIndex((entry) => (size += JSON.stringify(entry).length) > pageCharacters);
  return end < 0 ? page : page.slice(0, Math.max(end, 1));
}
