/** Sessions over open stores, one page at a time. */
import type { Entry } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import { deleteSession } from "../delete-session.ts";
import { onceMark } from "../../routing/once-session.ts";
import { importSessions } from "../import-sessions.ts";
import type { Memory } from "../memory/memory-room-door.ts";
import type { Ground } from "../open-ground.ts";
import type { Desk } from "./desk.ts";
import { findSession } from "./find-session.ts";

/** So that a page fits into a frame several times over; one entry always goes. */
const pageCharacters = 1_000_000;

export function createSessionMethods({
  ground,
  config,
  say,
  index,
}: {
  ground: Pick<
    Ground,
    | "sessionMemory"
    | "stores"
    | "leases"
    | "transcripts"
    | "mirror"
    | "tenantId"
    | "workspaceId"
    | "defaultAgentId"
  >;
  config(): Config;
  say: Say;
  /** What can be searched. */
  index: Pick<Memory, "forget">;
}): Desk<"sessions"> {
  const { stores, tenantId, leases, transcripts, mirror } = ground;
  const { sessions } = stores;

  return {
    // Those of single requests are many, and told only to whoever looks for them.
    list: ({ limit = 50, ...query }) =>
      sessions.list({ limit, ...query, ...(query.search === undefined ? { without: onceMark } : {}) }),
    find: ({ idOrKey }) => findSession(idOrKey, { ground, config }),
    entries: async ({ sessionId, after, limit = 500 }) => ({
      entries: fitting(await stores.entries.after(sessionId, after, limit)),
    }),
    async delete({ sessionId }) {
      const session = await sessions.get(sessionId);
      const memory = ground.sessionMemory;
      if (session) await deleteSession(session, { sessions, leases, transcripts, memory, index });
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
