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
  const reader = record.input.includes("image") ? readMedia : undefined;
  const messages: PiMessage[] = [];
  for (const message of request.messages) {
    const converted = await toPiMessage(message, reader);
    if (converted) messages.push(converted);
  }
  return normalizeContext({
    systemPrompt: request.systemPrompt,
    messages,
    tools: request.tools.map(toPiTool),
  });
}

/** The library stamps messages with times that it never sends. */
const timestamp = 0;

async function toPiMessage(message: Message, reader: ReadMedia | undefined): Promise<PiMessage | undefined> {
  switch (message.role) {
    case "user":
      return { role: "user", content: await toPiContent(message.content, reader), timestamp };
    case "toolResult": {
      const { toolCallId, toolName, isError } = message;
      const content = await toPiContent(message.content, reader);
      return { role: "toolResult", toolCallId, toolName, content, isError, timestamp };
    }
    case "assistant":
      return message.content.length === 0 ? undefined : toPiAssistant(message);
  }
}

async function toPiContent(
  content: UserMessage["content"],
  reader: ReadMedia | undefined,
): Promise<Array<TextContent | ImageContent>> {
  const converted: Array<TextContent | ImageContent> = [];
  for (const [index, block] of content.entries()) {
    const last = content[index - 1]?.type === "text" ? converted.at(-1) : undefined;
    // Texts of several people are one text here, as they stand one below the other.
    if (block.type === "text" && last?.type === "text") last.text = `${last.text}\n${block.text}`;
    else if (block.type === "text") converted.push({ type: "text", text: block.text });
    else if (!reader) converted.push({ type: "text", text: "(an image that this model cannot see)" });
    else {
      const media = await reader(block.media);
      converted.push(
        media
          ? { type: "image", data: media.data.toString("base64"), mimeType: media.mimeType }
          : { type: "text", text: "(an image that is no longer there)" },
      );
    }
  }
  return converted;
}

function toPiAssistant(message: AssistantMessage): PiAssistantMessage {
  const { provider, model, api, stopReason } = message;
  return {
    role: "assistant",
    content: message.content.map(toPiBlock),
    api: api ?? "unknown",
    provider,
    model,
    // The library would take old counts for the size of this request, and leave the answer too little room.
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    // It would leave out answers that broke off; what is worth keeping of them was decided before.
    stopReason: stopReason === "error" || stopReason === "aborted" ? "stop" : stopReason,
    timestamp,
  };
}

function toPiBlock(block: AssistantMessage["content"][number]): PiAssistantMessage["content"][number] {
  switch (block.type) {
    case "text":
      return {
        type: "text",
        text: block.text,
        ...(block.signature === undefined ? {} : { textSignature: block.signature }),
      };
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

/** The schema as JSON with its keywords in alphabetical order, whoever wrote it; the properties keep the order they were given. */
function plainSchema(parameters: object): Tool["parameters"] {
  let schema = schemas.get(parameters);
  if (!schema) {
    schema = sorted(JSON.parse(JSON.stringify(parameters))) as Tool["parameters"];
    schemas.set(parameters, schema);
  }
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
