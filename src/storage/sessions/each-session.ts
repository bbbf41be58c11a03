import type { SessionRecord, SessionStore } from "../stores.ts";

/** All sessions of a tenant, page by page, newest activity first. */
export async function* eachSession(sessions: Pick<SessionStore, "list">): AsyncIterable<SessionRecord> {
  for (let after: string | null | undefined; after !== null;) {
    const page = await sessions.list({ limit: 500, ...(after ? { after } : {}) });
    yield* page.sessions;
    after = page.next;
  }
}
