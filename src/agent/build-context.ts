/** Turns the recent part of a session into the request for the model. */
import { wellFormedMessages, type Entry, type Message } from "@pincer/sdk";

/** The newest `limit` messages, never beginning inside a tool exchange, always with whole tool pairs. */
export function buildMessages(entries: readonly Entry[], limit: number): Message[] {
  const said = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const window = said.slice(-limit);
  const firstUser = window.findIndex((message) => message.role === "user");
  return wellFormedMessages(firstUser > 0 ? window.slice(firstUser) : window).messages;
}
