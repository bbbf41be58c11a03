/** Any message in few characters, for when nothing else makes a request fit. */
import {
  textOf,
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type UserMessage,
} from "@pincer/sdk";
import { messageTokens } from "./estimate-tokens.ts";
import { shortenText, shortenToTokens, withCommas, type OmissionMark } from "./head-and-tail.ts";
import { shortenResult } from "./shorten-result.ts";

/** Each of its texts, and the arguments of its calls, in at most `limit` characters; without thoughts. Pure. */
export function shortenMessage(message: Message, seq: number, limit: number): Message {
  if (message.role === "toolResult") return shortenResult(message, seq, limit);
  if (message.role === "user") return shortenUser(message, seq, limit);
  const content = message.content.flatMap((block): AssistantMessage["content"] => {
    if (block.type === "thinking") return [];
    if (block.type === "toolCall") return [shortenCall(block, seq, limit)];
    if (block.text.length <= limit) return [block];
    // A signature would be of other words.
    return [{ type: "text", text: shortenText(block.text, limit, leftOut(seq)) }];
  });
  return {
    ...message,
    content: content.length > 0 ? content : [{ type: "text", text: "(thoughts, left out)" }],
  };
}

/** Says of images that they were there. Pure. */
export function withoutImages(message: Message): Message {
  if (message.role === "assistant" || message.content.every(({ type }) => type === "text")) return message;
  const content = message.content.map((block) =>
    block.type === "image"
      ? { type: "text" as const, text: "(an image, left out: there is no room for it)" }
      : block,
  );
  return { ...message, content };
}

/** The words alone, in at most `tokens`, by our count of the whole message. Pure. */
export function shortenQuestion(message: UserMessage, seq: number, tokens: number): UserMessage {
  const empty: UserMessage = { ...message, content: [{ type: "text", text: "" }] };
  const space = Math.max(leastTokens, tokens - messageTokens(empty));
  return {
    ...empty,
    content: [{ type: "text", text: shortenToTokens(textOf(withoutImages(message)), space, leftOut(seq)) }],
  };
}

/** The part of a question that is always shown. */
const leastTokens = 16;

const leftOut =
  (seq: number): OmissionMark =>
  (count, total) =>
    `[… ${withCommas(count)} of ${withCommas(total)} characters of entry #${seq} left out]`;

function shortenUser(message: UserMessage, seq: number, limit: number): UserMessage {
  const text = textOf(message);
  if (text.length <= limit) return message;
  const images = message.content.filter((block) => block.type === "image");
  return { ...message, content: [{ type: "text", text: shortenText(text, limit, leftOut(seq)) }, ...images] };
}

function shortenCall(block: ToolCallBlock, seq: number, limit: number): ToolCallBlock {
  const shorten = (text: string, most = limit) => shortenText(text, most, leftOut(seq));
  if (block.invalidArguments !== undefined)
    return { ...block, invalidArguments: shorten(block.invalidArguments) };
  const whole = JSON.stringify(block.arguments);
  if (whole.length <= limit) return block;
  const given = Object.entries(block.arguments).map(([name, value]) => [
    name,
    typeof value === "string" ? shorten(value, limit / 2) : value,
  ]);
  const shortened: Record<string, unknown> = Object.fromEntries(given);
  if (JSON.stringify(shortened).length <= limit) return { ...block, arguments: shortened };
  return { ...block, arguments: { shortened: shorten(whole) } };
}
