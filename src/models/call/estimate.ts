/** What a request takes at least, before anybody has counted: four bytes are about one token. */
import type { Message, ModelRequest } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";

export function estimateTokens({
  systemPrompt,
  messages,
  tools,
}: Pick<ModelRequest, "systemPrompt" | "messages" | "tools">): number {
  let length = systemPrompt.length;
  for (const message of messages) length += lengthOf(message);
  for (const tool of tools) length += tool.name.length + tool.description.length + sizeOf(tool.parameters);
  return Math.ceil(length / 4);
}

/** The input alone, at its highest price: what will be answered nobody knows. */
export const estimateCost = ({ cost }: Pick<ModelRecord, "cost">, tokens: number): number =>
  (tokens * Math.max(cost.input, cost.cacheWrite)) / 1_000_000;

function lengthOf({ content }: Message): number {
  let length = 0;
  for (const block of content) {
    if (block.type === "text") length += block.text.length;
    else if (block.type === "thinking") length += block.thinking.length;
    else if (block.type === "toolCall") length += block.name.length + sizeOf(block.arguments);
  }
  return length;
}

/** Tools and arguments do not change once they are there. */
const sizes = new WeakMap<object, number>();

function sizeOf(value: object): number {
  let size = sizes.get(value);
  if (size === undefined) sizes.set(value, (size = JSON.stringify(value).length));
  return size;
}
