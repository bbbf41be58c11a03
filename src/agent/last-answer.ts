/** The last answer of a turn so far, and what to do about its calls. */
import type { AssistantMessage, Message, ToolCallBlock } from "@pincer/sdk";
import type { TurnTools } from "./settle-calls.ts";

export function lastAnswer(turn: readonly Message[]): { at: number; calls: ToolCallBlock[] } {
  const at = turn.findLastIndex((message) => message.role === "assistant");
  const last = turn[at];
  return { at, calls: last?.role === "assistant" ? last.content.filter(isCall) : [] };
}

/** The calls of the last answer that have no result yet. */
export function pendingCalls(turn: readonly Message[]): ToolCallBlock[] {
  const { at, calls } = lastAnswer(turn);
  const answered = new Set(
    turn.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return calls.filter(({ id }) => !answered.has(id));
}

/** Decided from what is stored, so that a process that continues after a crash ends the same way. */
export const isHandedOver = (turn: readonly Message[], tools: TurnTools): boolean =>
  lastAnswer(turn).calls.some((call) => tools.isHandedOver?.(call) === true);

/** What stands beside calls that are handed over is an answer, too. */
export async function guardHandedOver(
  reply: AssistantMessage,
  tools: TurnTools,
  guard: ((text: string) => Promise<string>) | undefined,
): Promise<AssistantMessage> {
  if (!guard || !isHandedOver([reply], tools)) return reply;
  const guarded = reply.content.map(async (block) =>
    block.type === "text" ? { ...block, text: await guard(block.text) } : block,
  );
  return { ...reply, content: await Promise.all(guarded) };
}

export const isCall = (block: AssistantMessage["content"][number]): block is ToolCallBlock =>
  block.type === "toolCall";
