/** Calls of earlier turns that wait for the owner: the model is told so, and not that nobody knows what became of them. */
import type { Message, ToolCallBlock } from "@pincer/sdk";

const waits =
  "waits for the owner's answer: it has not run yet, and runs by itself once the owner says yes. Do not repeat it.";

/** `waiting` is asked only where a call has no result. Throws what it throws. */
export async function nameWaitingCalls(
  messages: Message[],
  waiting: (() => Promise<ReadonlySet<string>>) | undefined,
): Promise<Message[]> {
  const answered = new Set(messages.flatMap((each) => (each.role === "toolResult" ? [each.toolCallId] : [])));
  const isOpen = ({ id }: ToolCallBlock) => !answered.has(id);
  if (!waiting || !messages.some((message) => callsOf(message).some(isOpen))) return messages;
  const ids = await waiting();
  return messages.flatMap((message) => [
    message,
    ...callsOf(message)
      .filter((call) => isOpen(call) && ids.has(call.id))
      .map(resultOf),
  ]);
}

const callsOf = (message: Message): ToolCallBlock[] =>
  message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];

const resultOf = ({ id, name }: ToolCallBlock): Message => ({
  role: "toolResult",
  toolCallId: id,
  toolName: name,
  content: [{ type: "text", text: waits }],
  isError: false,
  origin: "system",
});
