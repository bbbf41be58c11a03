/**
 * The messages of a session, which models read and write and transcripts store. The shapes are declared once, as
 * schemas; the types are inferred.
 */
import { Type, type Static } from "typebox";
import { Label } from "./label.ts";
import { Origin } from "./provenance.ts";
import { isPartOf, joinedTexts } from "./said-texts.ts";

/** What a provider wants to have back with its own words, and nobody else understands. */
const signature = Type.Optional(Type.String());

/** Where it comes from; what was stored before texts had labels says nothing. */
const origin = Type.Optional(Origin);
/** In a few words: a host, a file, a person. */
const from = Type.Optional(Type.String());
/** Where it says more than the origin does: of a file that was labelled when it was written, of texts put together. */
const label = Type.Optional(Label);

export const TextBlock = Type.Object({
  type: Type.Literal("text"),
  text: Type.String(),
  signature,
  origin,
  from,
  label,
  /** False where no person typed it: a program sent it. Then it calls no tool by itself. */
  typed: Type.Optional(Type.Literal(false)),
  /**
   * certain: it was pasted, dropped or piped in, and stands where it does among the words that were typed. possible: a
   * person sent it where nobody can tell, and it may hold a paste. Left out: neither.
   */
  pasted: Type.Optional(Type.Enum(["certain", "possible"])),
});

/** An image is kept by reference: `media` names it in the media store, so that transcripts stay small. */
export const ImageBlock = Type.Object({
  type: Type.Literal("image"),
  media: Type.String(),
  mimeType: Type.String(),
});

export const ThinkingBlock = Type.Object({
  type: Type.Literal("thinking"),
  thinking: Type.String(),
  signature,
  /** The provider keeps the words to itself; only the signature is there. */
  redacted: Type.Optional(Type.Boolean()),
});

export const ToolCallBlock = Type.Object({
  type: Type.Literal("toolCall"),
  id: Type.String(),
  name: Type.String(),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  /** What was sent instead of a JSON object; such a call is answered with `invalid_args`, never guessed at. */
  invalidArguments: Type.Optional(Type.String()),
  signature,
});

/**
 * Why a model did not answer. auth, billing, rate_limit are about the credential; overloaded, unavailable, timeout, truncated about
 * the moment; context_overflow, invalid_request, refused, not_found about the request; empty is an answer without anything in it;
 * budget and exhausted are our own: a limit was reached, or every way was tried.
 */
export const modelErrorCodes = [
  "auth",
  "billing",
  "rate_limit",
  "overloaded",
  "unavailable",
  "timeout",
  "truncated",
  "context_overflow",
  "invalid_request",
  "refused",
  "not_found",
  "empty",
  "budget",
  "exhausted",
  "unknown",
] as const;
export type ModelErrorCode = (typeof modelErrorCodes)[number];

/** Tokens as the provider's wire counted them; cost in US dollars. */
export const Usage = Type.Object({
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
  total: Type.Number(),
  cost: Type.Number(),
  /** The wire did not say: counted by us, from the length of what went over it. */
  estimated: Type.Optional(Type.Boolean()),
});

/** A file that came with a message, as people see it; the model is told in the words, or shown the picture. */
export const MessageFile = Type.Object({
  media: Type.String(),
  mimeType: Type.String(),
  name: Type.Optional(Type.String()),
  sizeBytes: Type.Optional(Type.Integer()),
});

export const UserMessage = Type.Object({
  role: Type.Literal("user"),
  content: Type.Array(Type.Union([TextBlock, ImageBlock])),
  files: Type.Optional(Type.Array(MessageFile)),
  /** Facts about it (when it was said, by whom), told to the model above its words; never stored, and no part of the words. */
  note: Type.Optional(Type.String()),
});

export const AssistantMessage = Type.Object({
  role: Type.Literal("assistant"),
  content: Type.Array(Type.Union([TextBlock, ThinkingBlock, ToolCallBlock])),
  /** Whose words it is made of, where it was told to us rather than made by a model of ours. */
  origin,
  from,
  /** Of all that its model was shown; left out on what was stored before labels were. */
  label,
  /** Who made it: where a fallback answered, the fallback. */
  provider: Type.String(),
  model: Type.String(),
  /** The wire format that it came by; signatures mean something under the same one only. */
  api: Type.Optional(Type.String()),
  usage: Usage,
  stopReason: Type.Union([
    Type.Literal("stop"),
    Type.Literal("length"),
    Type.Literal("toolUse"),
    Type.Literal("error"),
    Type.Literal("aborted"),
  ]),
  errorMessage: Type.Optional(Type.String()),
  errorCode: Type.Optional(Type.Enum([...modelErrorCodes])),
  /** With `context_overflow`: of the model that found the request too large, in tokens. */
  contextWindow: Type.Optional(Type.Number()),
});

export const ToolResultMessage = Type.Object({
  role: Type.Literal("toolResult"),
  toolCallId: Type.String(),
  toolName: Type.String(),
  content: Type.Array(Type.Union([TextBlock, ImageBlock])),
  isError: Type.Boolean(),
  origin,
  from,
  label,
  /** For people and programs; the model sees `content` only. */
  details: Type.Optional(Type.Unknown()),
});

export const Message = Type.Union([UserMessage, AssistantMessage, ToolResultMessage]);

export type TextBlock = Static<typeof TextBlock>;
export type ImageBlock = Static<typeof ImageBlock>;
export type ThinkingBlock = Static<typeof ThinkingBlock>;
export type ToolCallBlock = Static<typeof ToolCallBlock>;
export type MessageFile = Static<typeof MessageFile>;
export type Usage = Static<typeof Usage>;
export type UserMessage = Static<typeof UserMessage>;
export type AssistantMessage = Static<typeof AssistantMessage>;
export type ToolResultMessage = Static<typeof ToolResultMessage>;
export type Message = Static<typeof Message>;

export const noUsage = (): Usage => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 });

/** The words of a message, without images, thinking and tool calls. */
export const textOf = (message: Message): string =>
  joinedTexts(message.content.filter((block): block is TextBlock => block.type === "text"));

/** The content with what was typed and what was pasted put together again, for those who read it as a whole. Pure. */
export function withWholeTexts(content: UserMessage["content"]): UserMessage["content"] {
  const whole: UserMessage["content"] = [];
  for (const [index, block] of content.entries()) {
    const [before, last] = [content[index - 1], whole.at(-1)];
    const isJoined = block.type === "text" && before?.type === "text" && isPartOf(before, block);
    if (isJoined && last?.type === "text")
      whole[whole.length - 1] = { type: "text", text: last.text + block.text };
    else whole.push(block);
  }
  return whole;
}
