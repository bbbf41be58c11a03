/** Turns the recent part of a session into what the model is shown of it. */
import { wellFormedMessages, type Entry, type Message } from "@pincer/sdk";

/**
 * What was said before the present turn: the newest messages up to `limit`, beginning with something a user said, so that no
 * tool exchange is cut in two. Where more was said, the window begins at the same place for half a window's length and then jumps: a window
 * that moved on with every turn would never be found in the provider's cache.
 */
export function recentHistory(entries: readonly Entry[], limit: number): Message[] {
  const jump = Math.max(1, Math.floor(limit / 2));
  const newest = entries.at(-1)?.seq ?? 0;
  const first = Math.ceil((newest + 1 - limit) / jump) * jump;
  const said = entries.flatMap((entry) =>
    entry.type === "message" && entry.seq >= first ? [entry.message] : [],
  );
  const window = limit > 0 ? said.slice(-limit) : [];
  const firstUser = window.findIndex((message) => message.role === "user");
  return firstUser < 0 ? [] : window.slice(firstUser);
}

/** History and the present turn as one request: the turn is always whole, its question included, and every call has its result. */
export const buildMessages = (history: readonly Message[], turn: readonly Message[]): Message[] =>
  wellFormedMessages([...history, ...turn]).messages;
