import type { AssistantMessage, Message } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { isOwnMessage } from "./is-own-message.ts";

/**
 * Whether the target may think while it goes on with a prepared history. Anthropic's models refuse to, in the midst of tool calls that did not
 * begin with their own signed thinking: others made those calls, or thinking was off. Pure.
 */
export function thinkingFits(messages: readonly Message[], record: ModelRecord): boolean {
  if (!wantsThinkingFirst(record)) return true;
  const first = firstOfLastTurn(messages);
  if (!first) return true;
  const [block] = first.content;
  return block?.type === "thinking" && isOwnMessage(first, record);
}

const wantsThinkingFirst = ({ api, id }: ModelRecord): boolean =>
  api === "anthropic-messages" || (api === "bedrock-converse-stream" && /claude/i.test(id));

/** The answer that began the tool calls at the end. Words that people put in after results do not end a turn there. */
function firstOfLastTurn(messages: readonly Message[]): AssistantMessage | undefined {
  let first: AssistantMessage | undefined;
  let hasResults = false;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "toolResult") hasResults = true;
    if (message?.role !== "assistant") continue;
    if (!hasResults) break;
    first = message;
    hasResults = false;
  }
  return first;
}
