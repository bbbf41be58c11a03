/**
 * What a turn says, as people may hear it. Words of the model pass through the reply stream on their way out: reasoning is told apart
 * from the answer, tags go, and blocks are cut where the settings say. The message that is stored is read by the same rules.
 */
import { textOf, type AssistantMessage, type ModelEvent } from "@pincer/sdk";
import type { BlockBreak } from "./reply-stream/block-breaker.ts";
import {
  createReplyStream,
  splitReasoning,
  type ReasoningMode,
  type ReplyEvent,
  type ReplySummary,
} from "./reply-stream/reply-stream.ts";
import type { ReplyTarget } from "./reply-stream/tags.ts";
import type { ToolEvent } from "./settle-calls.ts";

export interface VoiceSettings {
  reasoning: ReasoningMode;
  blockBreak: BlockBreak;
}

/** What is told of a turn while it runs. Text and thinking are what people may see; the rest is as it happened. */
export type TurnEvent =
  | ModelEvent
  | ToolEvent
  /** A piece of the answer that can be sent by itself. */
  | { type: "block"; text: string }
  /** The model has said all it had to say. */
  | ReplySummary;

export interface TurnVoice {
  hear(event: ModelEvent | ToolEvent): void;
}

export function createTurnVoice(settings: VoiceSettings, tell: (event: TurnEvent) => void): TurnVoice {
  let stream = createReplyStream(settings);

  function pass(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      if (event.type === "partial") tell({ type: "text-delta", text: event.text });
      else if (event.type === "reasoning") tell({ type: "thinking-delta", text: event.text });
      else if (event.type === "block" || event.type === "complete") tell(event);
    }
  }

  return {
    hear(event) {
      switch (event.type) {
        case "text-delta":
          return pass(stream.push(event.text));
        case "thinking-delta":
          return pass(stream.thinking(event.text));
        case "tool-call":
          pass(stream.toolCall(startOf(event.call)));
          break;
        case "tool-call-start":
          pass(stream.toolStart(startOf(event.call)));
          break;
        case "tool-call-end": {
          const { call, result } = event;
          const failed = result.error ? { error: result.error.message } : {};
          pass(stream.toolEnd({ id: call.id, result: result.data ?? result.content, ...failed }));
          break;
        }
        case "start-over":
          pass(stream.startOver());
          break;
        case "end":
          if (!hasCalls(event.message)) {
            pass(stream.end());
            stream = createReplyStream(settings);
          }
          break;
      }
      tell(event);
    },
  };
}

const startOf = ({ id, name, arguments: input }: { id: string; name: string; arguments: object }) => ({
  id,
  name,
  input,
});

const hasCalls = ({ content }: AssistantMessage): boolean =>
  content.some((block) => block.type === "toolCall");

export interface ReadReply {
  /** With reasoning in blocks of its own and without tags. */
  message: AssistantMessage;
  /** What people see of it. */
  text: string;
  replyTo: ReplyTarget | undefined;
}

/** A whole answer, read as the stream was. */
export function readReply(reply: AssistantMessage, reasoning: ReasoningMode): ReadReply {
  const mayHoldTags = reply.content.some((block) => block.type === "text" && /<|\[\[/.test(block.text));
  const quotes = reasoning === "on" && reply.content.some((block) => block.type === "thinking");
  if (!mayHoldTags && !quotes) return { message: reply, text: textOf(reply), replyTo: undefined };
  let replyTo: ReplyTarget | undefined;
  const content = reply.content.flatMap((block): AssistantMessage["content"] => {
    if (block.type !== "text") return [block];
    const split = splitReasoning(block.text);
    replyTo = split.replyTo ?? replyTo;
    if (split.visible === block.text) return [block];
    return [
      ...(split.reasoning ? [{ type: "thinking" as const, thinking: split.reasoning }] : []),
      ...(split.visible ? [{ type: "text" as const, text: split.visible }] : []),
    ];
  });
  const message = { ...reply, content };
  return { message, text: reasoning === "on" ? withReasoning(reply) : textOf(message), replyTo };
}

function withReasoning({ content }: AssistantMessage): string {
  const stream = createReplyStream({ reasoning: "on", blockBreak: "none" });
  for (const block of content) {
    if (block.type === "text") stream.push(block.text);
    if (block.type === "thinking") stream.thinking(block.thinking);
  }
  const summary = stream.end().find((event) => event.type === "complete");
  return summary?.assistantTexts.join("\n\n") ?? "";
}
