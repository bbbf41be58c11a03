/** Sessions over open stores, one page at a time. */
import { asPincerError, type Entry } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import { deleteSession } from "../../storage/sessions/delete-session.ts";
import { sessionLeaseName } from "../../storage/sessions/session-lease.ts";
import { childMark } from "../../storage/sessions/child-session.ts";
import { onceMark } from "../../storage/sessions/once-session.ts";
import { importSessions } from "../../storage/transcript/import-sessions.ts";
import type { Memory } from "../../memory/following/memory.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { actorOf, type Api } from "./api.ts";
import { findSession } from "./find-session.ts";
import { cleanLabel, labelSetting, viewSession, type TellSession } from "./session-view.ts";

/** So that a page fits into a frame several times over; one entry always goes. */
const pageCharacters = 1_000_000;

export function createSessionMethods({
  openedHome,
  config,
  say,
  index,
  onChange,
}: {
  openedHome: Pick<
    OpenHome,
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
  onChange?: TellSession | undefined;
}): Api<"sessions"> {
  const { stores, tenantId, leases, transcripts, mirror } = openedHome;
  const { sessions } = stores;

  async function requireSession(idOrKey: string): Promise<SessionRecord> {
    const session = await sessionOf(idOrKey);
    if (session) return session;
    const id = { id: idOrKey };
    throw failure("session/not-found", "failure.no-session", id, { hint: "failure.no-session.hint" });
  }

  /** By id, or by key (then the active one); undefined where there is none. */
  async function sessionOf(idOrKey: string): Promise<SessionRecord | undefined> {
    try {
      return await findSession(idOrKey, { openedHome, config });
    } catch (error) {
      if (asPincerError(error).domain === "session") return undefined;
      throw error;
    }
  }

  return {
    // Sessions of single requests and of scouts are many, and listed only in a search for them.
    async list({ limit = 50, openings = false, ...query }) {
      const without = query.search === undefined ? { without: [onceMark, childMark] } : {};
      const { sessions: found, next } = await sessions.list({ limit, ...query, ...without });
      if (!openings) return { sessions: found.map((each) => viewSession(each)), next };
      const first = await sessions.openings(found.map(({ sessionId }) => sessionId));
      return { sessions: found.map((each) => viewSession(each, { entry: first.get(each.sessionId) })), next };
    },
    async find({ sessionKey }) {
      const found = await findSession(sessionKey, { openedHome, config });
      const first = await sessions.openings([found.sessionId]);
      return viewSession(found, { entry: first.get(found.sessionId) });
    },
    async rename({ sessionKey, label }, until) {
      const session = await requireSession(sessionKey);
      const { sessionId } = session;
      const value = cleanLabel(label) || null;
      if ((session.settings[labelSetting] ?? null) === value) return viewSession(session);
      const data = { name: labelSetting, value, by: actorOf(until) };
      // An entry of its own, so that a home that is rebuilt from its transcripts knows the name again.
      await stores.entries.append(sessionId, [{ type: "event", name: "session-setting", data }]);
      const renamed = await requireSession(sessionId);
      await mirror(renamed);
      onChange?.("session.changed", renamed);
      return viewSession(renamed);
    },
    async resume({ sessionKey }) {
      const found = await requireSession(sessionKey);
      const { session, ended } = await leases.hold(sessionLeaseName(found), () =>
        sessions.resume(found.sessionId),
      );
      for (const each of ended ? [ended, session] : [session]) {
        await mirror(each);
        onChange?.("session.changed", each);
      }
      return viewSession(session);
    },
    async entries({ sessionKey, after, limit = 500 }) {
      const sessionId = (await sessionOf(sessionKey))?.sessionId ?? sessionKey;
      return { entries: fitting(await stores.entries.after(sessionId, after, limit)) };
    },
    async delete({ sessionKey }) {
      const session = await sessionOf(sessionKey);
      const memory = openedHome.sessionMemory;
      if (session) {
        await deleteSession(session, { sessions, leases, transcripts, memory, index });
        onChange?.("session.deleted", session);
      }
      return { deleted: session?.sessionId ?? sessionKey };
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
