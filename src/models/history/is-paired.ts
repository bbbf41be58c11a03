import type { AssistantMessage, Message } from "@pincer/sdk";

/**
 * Whether `wellFormedMessages` has nothing to repair: every call has an id of its own, and its result stands behind it. Most histories are
 * so, and to see it takes no more than a look. Pure.
 */
export function isPaired(messages: readonly Message[]): boolean {
  const used = new Set<string>();
  let index = 0;
  while (index < messages.length) {
    const message = messages[index++];
    if (message?.role === "toolResult") return false;
    if (message?.role !== "assistant") continue;
    const next = afterResults(message, messages, index, used);
    if (next === undefined) return false;
    index = next;
  }
  return true;
}

/** The place after the results of its calls, which begin at `from`; undefined where one is missing or another stands there. */
function afterResults(
  { content }: AssistantMessage,
  messages: readonly Message[],
  from: number,
  used: Set<string>,
): number | undefined {
  let next = from;
  for (const block of content) {
    if (block.type !== "toolCall") continue;
    const result = messages[next++];
    if (block.id === "" || used.has(block.id)) return undefined;
    if (result?.role !== "toolResult" || result.toolCallId !== block.id) return undefined;
    used.add(block.id);
  }
  return next;
}
