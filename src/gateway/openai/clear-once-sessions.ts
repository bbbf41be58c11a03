/** Deletes sessions of single requests when nobody continues them any more, and those of scouts. */
import { childMark, isChildSession } from "../../storage/sessions/child-session.ts";
import { isOnceSession, onceMark } from "../../storage/sessions/once-session.ts";
import type { SessionRecord, SessionStore } from "../../storage/stores.ts";
import { deleteSession } from "../../storage/sessions/delete-session.ts";
import type { Memory } from "../../memory/following/memory.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";

const atOnce = 200;

export interface OnceSessions {
  sessions: Pick<SessionStore, "list">;
  remove(session: SessionRecord): Promise<void>;
}

/** Those whose last word is older than `before`. Throws what the storage does; what is left is done the next time. */
export async function clearOnceSessions(
  { sessions, remove }: OnceSessions,
  before: string,
  signal: AbortSignal,
): Promise<void> {
  for (const search of [onceMark, childMark]) {
    let after: string | undefined;
    do {
      const page = await sessions.list({ limit: atOnce, search, ...(after === undefined ? {} : { after }) });
      for (const session of page.sessions) {
        if (signal.aborted) return;
        if (isShortLived(session) && session.updatedAt < before) await remove(session);
      }
      after = page.next ?? undefined;
    } while (after !== undefined);
  }
}

/** A search finds the mark in first words, too. */
const isShortLived = ({ sessionKey }: SessionRecord): boolean =>
  isOnceSession(sessionKey) || isChildSession(sessionKey);

/** Those of a home. */
export function onceSessionsOf(
  {
    stores,
    leases,
    transcripts,
    sessionMemory,
  }: Pick<OpenHome, "stores" | "leases" | "transcripts" | "sessionMemory">,
  index: Pick<Memory, "forget">,
): OnceSessions {
  const { sessions } = stores;
  const parts = { sessions, leases, transcripts, memory: sessionMemory, index };
  return { sessions, remove: (session) => deleteSession(session, parts) };
}
