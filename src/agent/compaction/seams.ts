/** Where a conversation may be cut. */
import type { Message } from "@pincer/sdk";

export interface HasMessage {
  message: Message;
}

/**
 * For each message whether a cut right before it is allowed: it does not separate a call from its result, and the
 * message is no result itself. A call without a result prevents nothing.
 */
export function seamsOf(said: readonly HasMessage[]): boolean[] {
  const reach = exchangeEnds(said);
  let farthest = -1;
  return said.map(({ message }, index) => {
    const isSeam = index > farthest && message.role !== "toolResult";
    farthest = Math.max(farthest, reach.get(index) ?? -1);
    return isSeam;
  });
}

/** By the place of the calling message: the place of its last result. Ids may be used again; a result belongs to the nearest call before it. */
function exchangeEnds(said: readonly HasMessage[]): Map<number, number> {
  const waiting = new Map<string, number[]>();
  const ends = new Map<number, number>();
  for (const [index, { message }] of said.entries()) {
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type !== "toolCall") continue;
        const calls = waiting.get(block.id);
        if (calls) calls.push(index);
        else waiting.set(block.id, [index]);
      }
    } else if (message.role === "toolResult") {
      const call = waiting.get(message.toolCallId)?.pop();
      if (call !== undefined) ends.set(call, index);
    }
  }
  return ends;
}
