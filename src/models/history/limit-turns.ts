import type { Message } from "@pincer/sdk";

/**
 * The last `turns` turns of a conversation, each from the person's words on; zero or less: all of them. Pure. Calls stay with their
 * results where the history is well-formed.
 */
export function limitHistoryTurns(messages: readonly Message[], turns: number): Message[] {
  if (turns <= 0) return [...messages];
  let left = turns;
  for (let index = messages.length - 1; index >= 0; index--) {
    const begins = messages[index]?.role === "user" && messages[index - 1]?.role !== "user";
    if (begins && --left === 0) return messages.slice(index);
  }
  return [...messages];
}
