/**
 * Which part of a conversation a model has refused to read in its usual form: told once, that part goes out in its plainest form from then
 * on, so that a history that went bad is refused once and not with every request. In memory: a new process asks once more.
 */
import { createRecent, type Message } from "@pincer/sdk";

export interface PlainMemory {
  /** How many of these messages are to be sent plainly. */
  until(conversation: string, messages: readonly Message[]): number;
  /** These had to be sent plainly. */
  note(conversation: string, messages: readonly Message[]): void;
}

const mostConversations = 1000;

export function createPlainMemory(): PlainMemory {
  /** The last message of the part, as it was. */
  const borders = createRecent<string>(mostConversations);
  return {
    until(conversation, messages) {
      const border = borders.get(conversation);
      if (border === undefined) return 0;
      // Once it has left the window, so has all that came before it.
      return messages.findLastIndex((message) => JSON.stringify(message) === border) + 1;
    },
    note(conversation, messages) {
      const last = messages.at(-1);
      if (!last) return;
      borders.set(conversation, JSON.stringify(last));
    },
  };
}
