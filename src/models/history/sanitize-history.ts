/** Takes out of a history what the target cannot read, and leaves every word that was said. */
import type { AssistantMessage, ImageBlock, Message, TextBlock } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { isOwnMessage } from "./is-own-message.ts";

/**
 * Pure. Empty messages go; what is left of an answer that broke off stays as text; thinking and signatures stay with the model that made
 * them; images become a note for a model that sees none. Tool calls keep their results.
 */
export function sanitizeSessionHistory(messages: readonly Message[], record: ModelRecord): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role === "assistant") return saidByModel(message, record);
    const content = message.content.flatMap((block) => readable(block, record));
    if (message.role === "user") return content.length > 0 ? [{ role: "user", content }] : [];
    const { role, toolCallId, toolName, isError } = message;
    const output = content.length > 0 ? content : [{ type: "text" as const, text: "(no output)" }];
    return [{ role, toolCallId, toolName: toolNameFor(toolName), content: output, isError }];
  });
}

function readable(block: TextBlock | ImageBlock, { input }: ModelRecord): Array<TextBlock | ImageBlock> {
  if (block.type === "text")
    return isBlank(block.text) ? [] : [{ type: "text", text: block.text.toWellFormed() }];
  if (input.includes("image")) return [block];
  return [{ type: "text", text: `(an image, ${block.mimeType}, that this model cannot see)` }];
}

function saidByModel(message: AssistantMessage, record: ModelRecord): AssistantMessage[] {
  const own = isOwnMessage(message, record);
  const signed = (signature: string | undefined) => (own && signature ? { signature } : {});

  const content = message.content.flatMap((block): AssistantMessage["content"] => {
    if (block.type === "thinking") return own ? [block] : [];
    if (block.type === "text") {
      // Gemini wants an empty part back when it carries a signature.
      const isSignedPart = own && block.signature && record.api.startsWith("google-");
      if (isBlank(block.text) && !isSignedPart) return [];
      return [{ type: "text", text: block.text.toWellFormed(), ...signed(block.signature) }];
    }
    const { type, id, name, invalidArguments, signature } = block;
    const invalid = invalidArguments === undefined ? {} : { invalidArguments };
    const given = wellFormedValue(block.arguments) as Record<string, unknown>;
    return [{ type, id, name: toolNameFor(name), arguments: given, ...invalid, ...signed(signature) }];
  });
  if (content.every(({ type }) => type === "thinking")) return [];

  const { provider, model, api, usage } = message;
  const calls = content.some(({ type }) => type === "toolCall");
  // An answer that broke off would be left out on the way; what was said of it was said.
  const stopReason = calls ? "toolUse" : "stop";
  const said = { role: "assistant", content, provider, model, usage, stopReason } as const;
  // The wire format is what makes signatures mean something: without them it is not named.
  return [own && api !== undefined ? { ...said, api } : said];
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
