/** Calls of earlier turns that wait for the owner: the model is told so, and not that nobody knows what became of them. */
import type { MessageEntry, ToolCallBlock, ToolResultMessage } from "@pincer/sdk";

const waits =
  "waits for the owner's answer: it has not run yet, and runs by itself once the owner says yes. Do not repeat it.";

/** Gives each call that waits this as its result, right behind it. `waiting` is asked only where a call has no result. Throws what it throws. */
export async function nameWaitingCalls(
  said: readonly MessageEntry[],
  waiting: (() => Promise<ReadonlySet<string>>) | undefined,
): Promise<readonly MessageEntry[]> {
  const open = openCalls(said);
  if (!waiting || open.size === 0) return said;
  const ids = await waiting();
  const named = new Set(Array.from(open).filter(({ id }) => ids.has(id)));
  if (named.size === 0) return said;
  return said.flatMap((entry) => [
    entry,
    ...callsOf(entry).flatMap((call) => (named.has(call) ? [resultOf(call, entry)] : [])),
  ]);
}

/** Whether it is such a result. Pure. */
export const isWaiting = ({ origin, content: [block] }: ToolResultMessage): boolean =>
  origin === "system" && block?.type === "text" && block.text === waits;

/** Those without a result behind them; of calls that share an id the last one, for some models use their ids again. */
function openCalls(said: readonly MessageEntry[]): ReadonlySet<ToolCallBlock> {
  const settled = new Set<string>();
  const open = new Set<ToolCallBlock>();
  for (const entry of said.toReversed()) {
    if (entry.message.role === "toolResult") settled.add(entry.message.toolCallId);
    for (const call of callsOf(entry)) {
      if (!settled.has(call.id)) open.add(call);
      settled.add(call.id);
    }
  }
  return open;
}

const callsOf = ({ message }: MessageEntry): ToolCallBlock[] =>
  message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];

/** It has the place and the time of the call, so that nothing else in the request moves. */
const resultOf = ({ id, name }: ToolCallBlock, call: MessageEntry): MessageEntry => ({
  ...call,
  message: {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: waits }],
    isError: false,
    origin: "system",
  },
});
