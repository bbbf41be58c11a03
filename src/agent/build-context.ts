/** Turns the recent part of a session into what the model is shown of it. */
import { wellFormedMessages, type Entry, type Message } from "@pincer/sdk";

/**
 * What was said before the present turn: the newest messages up to `limit`, beginning with something a user said, so that no
 * tool exchange is cut in two.
 */
export function recentHistory(entries: readonly Entry[], limit: number): Message[] {
  const said = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const window = limit > 0 ? said.slice(-limit) : [];
  const firstUser = window.findIndex((message) => message.role === "user");
  return firstUser < 0 ? [] : window.slice(firstUser);
}

/** History and the present turn as one request: the turn is always whole, its question included, and every call has its result. */
export const buildMessages = (history: readonly Message[], turn: readonly Message[]): Message[] =>
  wellFormedMessages([...history, ...turn]).messages;
