/** Takes out of a history what the target cannot read, and leaves every word that was said. */
import {
  withWholeTexts,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type TextBlock,
  type ToolResultMessage,
  type UserMessage,
} from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { isOwnMessage } from "./is-own-message.ts";

/**
 * Pure. Empty messages go; what is left of an answer that broke off stays as text; thinking and signatures stay with the model that made
 * them; images become a note for a model that sees none. Tool calls keep their results.
 */
export function sanitizeSessionHistory(messages: readonly Message[], record: ModelRecord): Message[] {
  const clean: Message[] = [];
  for (const message of messages) {
    const said = cleanMessage(message, record);
    if (said) clean.push(said);
  }
  return clean;
}

const cleanMessage = (message: Message, record: ModelRecord): Message | undefined =>
  message.role === "assistant" ? saidByModel(message, record) : givenTo(message, record);

function givenTo(message: UserMessage | ToolResultMessage, record: ModelRecord): Message | undefined {
  const isInParts = message.content.some((block) => block.type === "text" && block.pasted !== undefined);
  const given = isInParts ? withWholeTexts(message.content) : message.content;
  const content = mapKept(given, readable, record, false);
  if (message.role === "user") return content.length > 0 ? { role: "user", content } : undefined;
  const { role, toolCallId, toolName, isError } = message;
  const output = content.length > 0 ? content : [{ type: "text" as const, text: "(no output)" }];
  return { role, toolCallId, toolName: toolNameFor(toolName), content: output, isError };
}

function readable(block: TextBlock | ImageBlock, { input }: ModelRecord): TextBlock | ImageBlock | undefined {
  if (block.type === "text")
    return isBlank(block.text) ? undefined : { type: "text", text: block.text.toWellFormed() };
  if (input.includes("image")) return block;
  return { type: "text", text: `(an image, ${block.mimeType}, that this model cannot see)` };
}

function saidByModel(message: AssistantMessage, record: ModelRecord): AssistantMessage | undefined {
  const own = isOwnMessage(message, record);
  const content = mapKept(message.content, kept, record, own);
  if (content.every(isThinking)) return undefined;

  const { provider, model, api, usage } = message;
  // An answer that broke off would be left out on the way; what was said of it was said.
  const stopReason = content.some(isCall) ? "toolUse" : "stop";
  // The wire format is what makes signatures mean something: without them it is not named.
  return own && api !== undefined
    ? { role: "assistant", content, provider, model, usage, stopReason, api }
    : { role: "assistant", content, provider, model, usage, stopReason };
}

type AnswerBlock = AssistantMessage["content"][number];

/** What may go back of a block; `own`: to the model that made it. */
function kept(block: AnswerBlock, record: ModelRecord, own: boolean): AnswerBlock | undefined {
  if (block.type === "thinking") return own ? block : undefined;
  const signature = own ? block.signature : undefined;
  if (block.type === "text") {
    // Gemini wants an empty part back when it carries a signature.
    const isSignedPart = signature && record.api.startsWith("google-");
    if (isBlank(block.text) && !isSignedPart) return undefined;
    const text = block.text.toWellFormed();
    return signature ? { type: "text", text, signature } : { type: "text", text };
  }
  const { type, id, name, invalidArguments } = block;
  const invalid = invalidArguments === undefined ? {} : { invalidArguments };
  const given = wellFormedValue(block.arguments) as Record<string, unknown>;
  const signed = signature ? { signature } : {};
  return { type, id, name: toolNameFor(name), arguments: given, ...invalid, ...signed };
}

const isThinking = ({ type }: AnswerBlock): boolean => type === "thinking";
const isCall = ({ type }: AnswerBlock): boolean => type === "toolCall";

/** What is made of each block, without those of which nothing is. Most messages have one, and an array that grows takes room for many. */
function mapKept<Block>(
  blocks: readonly Block[],
  make: (block: Block, record: ModelRecord, own: boolean) => Block | undefined,
  record: ModelRecord,
  own: boolean,
): Block[] {
  const [first] = blocks;
  const made = first && make(first, record, own);
  const all: Block[] = made === undefined ? [] : [made];
  for (let index = 1; index < blocks.length; index++) {
    const block = blocks[index];
    const next = block && make(block, record, own);
    if (next !== undefined) all.push(next);
  }
  return all;
}

const isBlank = (text: string): boolean => text.trim() === "";

/** As every format takes it: `time.now` of an older transcript is `time_now`. */
function toolNameFor(name: string): string {
  const clean = name.replace(/[^\w-]/g, "_").slice(0, 63);
  if (clean === "") return "tool";
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`;
}

/** Half a character is no JSON that a strict reader takes. */
function wellFormedValue(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.toWellFormed(), wellFormedValue(each)]),
  );
}
