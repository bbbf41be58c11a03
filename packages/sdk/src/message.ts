/**
 * What was said in a session: the messages that models read and write and that transcripts keep.
 * The shapes are declared once, as schemas; the types follow from them.
 */
import { Type, type Static } from "typebox";

export const TextBlock = Type.Object({ type: Type.Literal("text"), text: Type.String() });

/** An image is kept by reference: `media` names it in the media store, so that transcripts stay small. */
export const ImageBlock = Type.Object({
  type: Type.Literal("image"),
  media: Type.String(),
  mimeType: Type.String(),
});

export const ThinkingBlock = Type.Object({
  type: Type.Literal("thinking"),
  thinking: Type.String(),
  signature: Type.Optional(Type.String()),
});

export const ToolCallBlock = Type.Object({
  type: Type.Literal("toolCall"),
  id: Type.String(),
  name: Type.String(),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  /** What was sent instead of a JSON object; such a call is answered with `invalid_args`, never guessed at. */
  invalidArguments: Type.Optional(Type.String()),
});

/** Tokens as the provider's wire counted them; cost in US dollars. */
export const Usage = Type.Object({
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
  total: Type.Number(),
  cost: Type.Number(),
});

export const UserMessage = Type.Object({
  role: Type.Literal("user"),
  content: Type.Array(Type.Union([TextBlock, ImageBlock])),
});

export const AssistantMessage = Type.Object({
  role: Type.Literal("assistant"),
  content: Type.Array(Type.Union([TextBlock, ThinkingBlock, ToolCallBlock])),
  provider: Type.String(),
  model: Type.String(),
  usage: Usage,
  stopReason: Type.Union([
    Type.Literal("stop"),
    Type.Literal("length"),
    Type.Literal("toolUse"),
    Type.Literal("error"),
    Type.Literal("aborted"),
  ]),
  errorMessage: Type.Optional(Type.String()),
});

export const ToolResultMessage = Type.Object({
  role: Type.Literal("toolResult"),
  toolCallId: Type.String(),
  toolName: Type.String(),
  content: Type.Array(Type.Union([TextBlock, ImageBlock])),
  isError: Type.Boolean(),
  /** For people and programs; the model sees `content` only. */
  details: Type.Optional(Type.Unknown()),
});

export const Message = Type.Union([UserMessage, AssistantMessage, ToolResultMessage]);

export type TextBlock = Static<typeof TextBlock>;
export type ImageBlock = Static<typeof ImageBlock>;
export type ThinkingBlock = Static<typeof ThinkingBlock>;
export type ToolCallBlock = Static<typeof ToolCallBlock>;
export type Usage = Static<typeof Usage>;
export type UserMessage = Static<typeof UserMessage>;
export type AssistantMessage = Static<typeof AssistantMessage>;
export type ToolResultMessage = Static<typeof ToolResultMessage>;
export type Message = Static<typeof Message>;

export const noUsage = (): Usage => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 });

/** The words of a message, without images, thinking and tool calls. */
export function textOf(message: Message): string {
  return message.content
    .filter((block): block is TextBlock => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}
