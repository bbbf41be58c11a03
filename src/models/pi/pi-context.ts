/** A request in the words of the library: system prompt, tools and messages. Equal requests give equal bytes. */
import type {
  AssistantMessage as PiAssistantMessage,
  ImageContent,
  Message as PiMessage,
  TextContent,
  Tool,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { normalizeContext } from "@earendil-works/pi-ai/utils/transcript";
import type { AssistantMessage, Message, ToolDescription, UserMessage } from "@pincer/sdk";
import { frozen } from "../../infra/frozen.ts";
import type { ModelRecord } from "../model-record.ts";
import type { WireRequest } from "../wire/wire.ts";

export interface Media {
  data: Buffer;
  mimeType: string;
}

/** Undefined when it is no longer there. */
export type ReadMedia = (media: string) => Promise<Media | undefined>;

export interface PiContextParts {
  record: ModelRecord;
  request: Pick<WireRequest, "systemPrompt" | "messages" | "tools">;
  readMedia: ReadMedia;
}

/** Throws what reading media does. */
export async function toPiContext({
  record,
  request,
  readMedia,
}: PiContextParts): Promise<TranscriptContext> {
  const seesImages = record.input.includes("image");
  const messages: PiMessage[] = [];
  for (const message of request.messages) {
    // Only for images is anything waited for: a wait for each message of a long history is more work than the message.
    const media =
      seesImages && message.content.some(isImage) ? await mediaOf(message.content, readMedia) : noMedia;
    const converted = toPiMessage(message, seesImages ? media : undefined);
    if (converted) messages.push(converted);
  }
  return normalizeContext({
    systemPrompt: request.systemPrompt,
    messages,
    tools: request.tools.map(toPiTool),
  });
}

/** By the reference that it is kept under; a reference without media is of an image that is no longer there. */
type ReadyMedia = ReadonlyMap<string, Media | undefined>;

const noMedia: ReadyMedia = new Map();

const isImage = ({ type }: Message["content"][number]): boolean => type === "image";

async function mediaOf(content: Message["content"], readMedia: ReadMedia): Promise<ReadyMedia> {
  const media = new Map<string, Media | undefined>();
  for (const block of content)
    if (block.type === "image" && !media.has(block.media))
      media.set(block.media, await readMedia(block.media));
  return media;
}

/** The library stamps messages with times that it never sends. */
const timestamp = 0;

/** `media` is undefined for a model that sees none. */
function toPiMessage(message: Message, media: ReadyMedia | undefined): PiMessage | undefined {
  switch (message.role) {
    case "user":
      return { role: "user", content: toPiContent(message.content, media), timestamp };
    case "toolResult": {
      const { toolCallId, toolName, isError } = message;
      const content = toPiContent(message.content, media);
      return { role: "toolResult", toolCallId, toolName, content, isError, timestamp };
    }
    case "assistant":
      return message.content.length === 0 ? undefined : toPiAssistant(message);
  }
}

function toPiContent(
  content: UserMessage["content"],
  media: ReadyMedia | undefined,
): Array<TextContent | ImageContent> {
  const [only] = content;
  if (content.length === 1 && only) return [toPiPart(only, media)];
  const converted: Array<TextContent | ImageContent> = [];
  for (const [index, block] of content.entries()) {
    const last = content[index - 1]?.type === "text" ? converted.at(-1) : undefined;
    // Texts of several people are one text here, as they stand one below the other.
    if (block.type === "text" && last?.type === "text") last.text = `${last.text}\n${block.text}`;
    else converted.push(toPiPart(block, media));
  }
  return converted;
}

function toPiPart(
  block: UserMessage["content"][number],
  media: ReadyMedia | undefined,
): TextContent | ImageContent {
  if (block.type === "text") return { type: "text", text: block.text };
  if (!media) return { type: "text", text: "(an image that this model cannot see)" };
  const image = media.get(block.media);
  return image
    ? { type: "image", data: image.data.toString("base64"), mimeType: image.mimeType }
    : { type: "text", text: "(an image that is no longer there)" };
}

/** The library would take old counts for the size of this request, and leave the answer too little room. */
const uncounted: PiAssistantMessage["usage"] = Object.freeze({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }),
});

function toPiAssistant(message: AssistantMessage): PiAssistantMessage {
  const { provider, model, api, stopReason } = message;
  return {
    role: "assistant",
    content: message.content.map(toPiBlock),
    api: api ?? "unknown",
    provider,
    model,
    usage: uncounted,
    // It would leave out answers that broke off; what is worth keeping of them was decided before.
    stopReason: stopReason === "error" || stopReason === "aborted" ? "stop" : stopReason,
    timestamp,
  };
}

function toPiBlock(block: AssistantMessage["content"][number]): PiAssistantMessage["content"][number] {
  switch (block.type) {
    case "text":
      return block.signature === undefined
        ? { type: "text", text: block.text }
        : { type: "text", text: block.text, textSignature: block.signature };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.thinking,
        ...(block.signature === undefined ? {} : { thinkingSignature: block.signature }),
        ...(block.redacted ? { redacted: true } : {}),
      };
    case "toolCall":
      return {
        type: "toolCall",
        id: block.id,
        name: block.name,
        arguments: (block.invalidArguments === undefined ? block.arguments : {}) as PiArguments,
        ...(block.signature === undefined ? {} : { thoughtSignature: block.signature }),
      };
  }
}

type PiArguments = Extract<PiAssistantMessage["content"][number], { type: "toolCall" }>["arguments"];

const toPiTool = ({ name, description, parameters }: ToolDescription): Tool => ({
  name,
  description,
  parameters: plainSchema(parameters),
});

/** Tools do not change once they are there. */
const schemas = new WeakMap<object, Tool["parameters"]>();
/** The same by their text: every workdir has tools of its own, with schemas like those of the others. */
const schemasByText = new Map<string, Tool["parameters"]>();
const mostTexts = 500;

/** The schema as JSON with its keywords in alphabetical order, no matter who wrote it; the properties keep their order. */
function plainSchema(parameters: object): Tool["parameters"] {
  let schema = schemas.get(parameters);
  if (!schema) schemas.set(parameters, (schema = schemaOf(JSON.stringify(parameters))));
  return schema;
}

function schemaOf(text: string): Tool["parameters"] {
  const known = schemasByText.get(text);
  if (known) return known;
  const schema = frozen(sorted(JSON.parse(text))) as Tool["parameters"];
  if (schemasByText.size >= mostTexts) schemasByText.clear();
  schemasByText.set(text, schema);
  return schema;
}

function sorted(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (!isProperties) entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, sorted(item, key === "properties" && !isProperties)]),
  );
}
