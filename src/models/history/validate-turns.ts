/**
 * The order of speaking that providers insist on: the user begins, user and assistant take turns, results follow their calls at once,
 * and the last word is not the assistant's. Results of one message go out as one turn; the formats see to that themselves.
 */
import { noUsage, type AssistantMessage, type ImageBlock, type Message, type UserMessage } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { flattenExchanges } from "./flatten-exchanges.ts";
import { isOwnMessage } from "./is-own-message.ts";

/** Pure. What every format wants, Anthropic's most strictly. */
export function validateAnthropicTurns(messages: readonly Message[], record: ModelRecord): Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "user" && last?.role === "user") {
      turns[turns.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (message.role === "assistant" && last?.role === "assistant") {
      turns[turns.length - 1] = joinAnswers(last, message, record);
    } else turns.push(message);
  }
  if (turns[0]?.role !== "user")
    turns.unshift(userSaying("(The beginning of this conversation is not shown.)"));
  if (turns.at(-1)?.role === "assistant") turns.push(userSaying("(Go on.)"));
  return turns;
}

/**
 * Pure. Gemini 3 and later refuse calls that they did not sign, so what other models called is told in words. Older ones take every call, but
 * see images beside the results only.
 */
export function validateGeminiTurns(messages: readonly Message[], record: ModelRecord): Message[] {
  const isOld = /^gemini-(?:live-)?[12]\b/.test(record.id);
  if (isOld) return validateAnthropicTurns(withImagesLast(messages), record);
  const isGemini = record.id.startsWith("gemini");
  const signed = isGemini ? flattenExchanges(messages, (each) => !isOwnMessage(each, record)) : messages;
  return validateAnthropicTurns(signed, record);
}

/** Images go out in a turn of their own behind a result; between two results of one message that turn would part them. */
function withImagesLast(messages: readonly Message[]): Message[] {
  let waiting: ImageBlock[] = [];
  return messages.map((message, index): Message => {
    if (message.role !== "toolResult") return message;
    const images = [...waiting, ...message.content.filter((block) => block.type === "image")];
    const words = message.content.filter((block) => block.type === "text");
    const isLast = messages[index + 1]?.role !== "toolResult";
    waiting = isLast ? [] : images;
    if (isLast) return { ...message, content: [...words, ...images] };
    const content = words.length > 0 ? words : [{ type: "text" as const, text: "(an image, shown below)" }];
    return { ...message, content };
  });
}

/** Pure. Mistral wants an assistant's word between results and the next question. */
export function validateMistralTurns(messages: readonly Message[], record: ModelRecord): Message[] {
  const turns = validateAnthropicTurns(messages, record);
  return turns.flatMap((message, index) =>
    message.role === "user" && turns[index - 1]?.role === "toolResult"
      ? [assistantSaying("(I have the results.)", record), message]
      : [message],
  );
}

/** Whichever of the two is the target: signatures are read only under its name. */
function joinAnswers(
  first: AssistantMessage,
  second: AssistantMessage,
  record: ModelRecord,
): AssistantMessage {
  const { provider, model, api } = isOwnMessage(second, record) ? second : first;
  const { stopReason, usage } = second;
  const content = [...first.content, ...second.content];
  const joined = { role: "assistant", content, provider, model, usage, stopReason } as const;
  return api === undefined ? joined : { ...joined, api };
}

const userSaying = (text: string): UserMessage => ({ role: "user", content: [{ type: "text", text }] });

const assistantSaying = (text: string, { provider, id }: ModelRecord): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  provider,
  model: id,
  usage: noUsage(),
  stopReason: "stop",
});
