/**
 * The output of a turn for people. The model's text passes through the reply stream: reasoning is separated from the
 * answer, tags are removed, and blocks are cut where the settings say. The stored message is read by the same rules.
 */
import type { ApprovalEvent } from "../gate/approvals/approval-event.ts";
import { textOf, type AssistantMessage, type ModelEvent } from "@pincer/sdk";
import type { BlockBreak } from "./reply-stream/block-breaker.ts";
import {
  createReplyStream,
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
  /** Before the model is asked: notes are taken, or the session is summed up, which takes a while. */
  | { type: "context"; doing: "taking-notes" | "summing-up" }
  | ApprovalEvent
  /** The model has said all it had to say. */
  | ReplySummary;

export interface TurnVoice {
  hear(event: ModelEvent | ToolEvent): void;
}

export function createTurnVoice(settings: VoiceSettings, tell: (event: TurnEvent) => void): TurnVoice {
  let stream = createReplyStream(settings);
  /** What was told of the present request. */
  let told = "";

  function say(text: string): void {
    told += text;
    if (text !== "") tell({ type: "text-delta", text });
  }

  function takeBack(text: string): void {
    const kept = told.slice(0, told.length - text.length);
    told = "";
    tell({ type: "start-over", reason: "it was reasoning" });
    say(kept);
  }

  function pass(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      if (event.type === "partial") say(event.text);
      else if (event.type === "taken-back") takeBack(event.text);
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
          told = "";
          break;
        case "tool-call-end": {
          const { call, result } = event;
          const failed = result.error ? { error: result.error.message } : {};
          pass(stream.toolEnd({ id: call.id, result: result.data ?? result.content, ...failed }));
          break;
        }
        case "start-over":
          pass(stream.startOver());
          told = "";
          break;
        case "end":
          if (!hasCalls(event.message)) {
            pass(stream.end());
            stream = createReplyStream(settings);
            told = "";
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

/** A whole answer, read as the stream was: its text is what the stream ended with. */
export function readReply(reply: AssistantMessage, reasoning: ReasoningMode): ReadReply {
  const texts = reply.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const mayHoldTags = /<|\[\[/.test(texts.join(""));
  const quotes = reasoning === "on" && reply.content.some((block) => block.type === "thinking");
  if (!mayHoldTags && !quotes && texts.length < 2)
    return { message: reply, text: textOf(reply), replyTo: undefined };
  const { content, summary } = readContent(reply.content);
  const shown = reasoning === "on" ? withReasoning(reply.content) : summary;
  return {
    message: { ...reply, content },
    text: shown?.assistantTexts.join("\n\n") ?? "",
    replyTo: summary?.replyTo,
  };
}

type Content = AssistantMessage["content"];

/** Reasoning in blocks of its own, words without tags. What holds none of it stays as it is: it may be signed. */
function readContent(content: Content): { content: Content; summary: ReplySummary | undefined } {
  const stream = createReplyStream({ reasoning: "stream", blockBreak: "none" });
  const read: Content = [];
  let run: Content = [];
  let [words, thought] = ["", ""];

  function gather(events: readonly ReplyEvent[]): ReplySummary | undefined {
    for (const event of events) {
      if (event.type === "partial") words += event.text;
      if (event.type === "reasoning") thought += event.text;
      if (event.type === "taken-back") words = "";
    }
    return events.find((event) => event.type === "complete");
  }
  /** Blocks of text that follow one another are one text. */
  function endRun(): void {
    const raw = run.map((block) => (block.type === "text" ? block.text : "")).join("");
    if (thought === "" && (words === raw || raw.trim() === "")) read.push(...run);
    else {
      if (thought !== "") read.push({ type: "thinking", thinking: thought });
      if (words !== "") read.push({ type: "text", text: words });
    }
    [run, words, thought] = [[], "", ""];
  }

  for (const block of content) {
    if (block.type === "text") {
      run.push(block);
      gather(stream.push(block.text));
      continue;
    }
    // A blank says that there was thinking, and adds nothing to the reasoning that the text holds.
    if (block.type === "thinking") gather(stream.thinking(block.thinking === "" ? "" : " "));
    else gather(stream.toolCall(startOf(block)));
    endRun();
    read.push(block);
  }
  const summary = gather(stream.end());
  endRun();
  return { content: read, summary };
}

function withReasoning(content: Content): ReplySummary | undefined {
  const stream = createReplyStream({ reasoning: "on", blockBreak: "none" });
  for (const block of content) {
    if (block.type === "text") stream.push(block.text);
    else if (block.type === "thinking") stream.thinking(block.thinking);
    else stream.toolCall(startOf(block));
  }
  return stream.end().find((event) => event.type === "complete");
}
