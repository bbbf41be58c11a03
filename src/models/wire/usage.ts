/** What an answer took: as the wire counted it, else estimated at four bytes a token; and what that costs. */
import { noUsage, type AssistantMessage, type Usage } from "@pincer/sdk";
import type { ModelPrice } from "../model-record.ts";
import type { WireRequest } from "./wire.ts";

export type TokenCounts = Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite">;

/** In US dollars, at the request-wide tier that its input reaches. */
export function costOf(price: ModelPrice, { input, output, cacheRead, cacheWrite }: TokenCounts): number {
  const asked = input + cacheRead + cacheWrite;
  let rates: Omit<ModelPrice, "tiers"> = price;
  let reached = -1;
  for (const tier of price.tiers ?? []) {
    if (asked <= tier.inputTokensAbove || tier.inputTokensAbove <= reached) continue;
    rates = tier;
    reached = tier.inputTokensAbove;
  }
  const perMillion =
    rates.input * input + rates.output * output + rates.cacheRead * cacheRead + rates.cacheWrite * cacheWrite;
  return perMillion / 1_000_000;
}

/** For an answer whose counts never came; what the wire said of the question holds, and of the answer the larger counts. */
export function estimateUsage(
  price: ModelPrice,
  request: Pick<WireRequest, "systemPrompt" | "messages" | "tools">,
  { said, told }: { said: AssistantMessage["content"]; told?: TokenCounts | undefined },
): Usage {
  const counts = { ...noUsage(), ...told };
  if (counts.input + counts.cacheRead + counts.cacheWrite === 0) counts.input = estimateInput(request);
  counts.output = Math.max(counts.output, estimateContent(said));
  const { input, output, cacheRead, cacheWrite } = counts;
  const total = input + output + cacheRead + cacheWrite;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    total,
    cost: costOf(price, counts),
    estimated: true,
  };
}

export function estimateInput({
  systemPrompt,
  messages,
  tools,
}: Pick<WireRequest, "systemPrompt" | "messages" | "tools">): number {
  let bytes = bytesOfPrompt(systemPrompt);
  for (const { content } of messages) bytes += bytesOf(content);
  for (const tool of tools) bytes += bytesOfTool(tool);
  return Math.ceil(bytes / bytesPerToken);
}

const bytesPerToken = 4;
/** What an image counts for, whatever its size: providers scale it to about as many tokens. */
const imageBytes = 4800;

const estimateContent = (content: WireRequest["messages"][number]["content"]): number =>
  Math.ceil(bytesOf(content) / bytesPerToken);

function bytesOf(content: WireRequest["messages"][number]["content"]): number {
  let bytes = 0;
  for (const block of content) {
    if (block.type === "text") bytes += Buffer.byteLength(block.text);
    else if (block.type === "thinking") bytes += Buffer.byteLength(block.thinking);
    else if (block.type === "image") bytes += imageBytes;
    else bytes += Buffer.byteLength(block.name) + bytesOfJson(block.arguments);
  }
  return bytes;
}

let lastPrompt = { text: "", bytes: 0 };

/** One request after the other has the same, and each is estimated more than once. */
function bytesOfPrompt(text: string): number {
  if (text !== lastPrompt.text) lastPrompt = { text, bytes: Buffer.byteLength(text) };
  return lastPrompt.bytes;
}

/** By the schema of the tool. */
const toolSizes = new WeakMap<object, { name: string; description: string; size: number }>();

function bytesOfTool({ name, description, parameters }: WireRequest["tools"][number]): number {
  const known = toolSizes.get(parameters);
  if (known?.name === name && known.description === description) return known.size;
  const size = Buffer.byteLength(name) + Buffer.byteLength(description) + bytesOfJson(parameters);
  toolSizes.set(parameters, { name, description, size });
  return size;
}

/** Schemas and arguments do not change once they are there. */
const jsonSizes = new WeakMap<object, number>();

function bytesOfJson(value: object): number {
  let size = jsonSizes.get(value);
  if (size === undefined) jsonSizes.set(value, (size = Buffer.byteLength(JSON.stringify(value))));
  return size;
}
