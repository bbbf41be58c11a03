/**
 * Sessions of turns that calls of other turns run: a scout. What such a session came to is stored with the call, so
 * it is listed nowhere, found by no search, and deleted after a day or with the session of its parent.
 */
import { parseSessionKey } from "@pincer/sdk";
import type { SessionRecord, SessionStore } from "../stores.ts";

/** Where such turns come from; no connector may be called so. */
export const childChannel = "child";

/** Occurs in their keys and in no others. */
export const childMark = ":scout:r_";

export function isChildSession(sessionKey: string): boolean {
  const parsed = parseSessionKey(sessionKey);
  return parsed.ok && parsed.scope.conversation.type === "child";
}

const mostChildren = 1000;

/** Of a session, whose id is their subject. Throws what the storage does. */
export async function childrenOf(
  sessions: Pick<SessionStore, "list">,
  { sessionId }: Pick<SessionRecord, "sessionId">,
): Promise<SessionRecord[]> {
  const page = await sessions.list({ limit: mostChildren, channel: childChannel, search: sessionId });
  return page.sessions.filter(
    ({ sessionKey, origin }) => isChildSession(sessionKey) && origin.subject === sessionId,
  );
}
