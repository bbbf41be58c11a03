/**
 * The conversation that a caller sends, as messages with labels. The owner's words are the owner's; answers and
 * results from outside count as nobody's, no matter who sends them: they could say anything.
 */
import {
  noUsage,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type Origin,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from "@pincer/sdk";
import { badRequest } from "./openai-failure.ts";
import type { Given } from "./openai-api.ts";

/** One message as it was told; `path` is where it stands in the request. */
export type ToldMessage = { path: string } & (
  | { role: "instructions"; text: string }
  | { role: "user"; content: Array<string | ImageBlock> }
  | { role: "assistant"; text: string; calls: ToldCall[] }
  | { role: "tool"; callId: string; text: string }
);

export interface ToldCall {
  id: string;
  name: string;
  /** JSON, as it was told. */
  arguments: string;
}

export interface Speaker {
  isOwner: boolean;
  name: string;
}

export interface ReadMessages {
  given: Given;
  instructions: string;
}

/**
 * alone: everything counts, and pairs stay pairs. going-on: what was answered before is in the session already, so only what follows the
 * last answer is new; results stand there as words, because their calls were answered when they were handed over. Throws OpenAiFailure 400.
 */
export function readMessages(
  told: readonly ToldMessage[],
  { speaker, isAlone, param }: { speaker: Speaker; isAlone: boolean; param: string },
): ReadMessages {
  const said = told.filter((message) => message.role !== "instructions");
  const names = new Map<string, string>();
  const messages: Message[] = [];
  let last = -1;
  for (const message of said) {
    if (message.role === "assistant") {
      const answer = toldAnswer(message, speaker);
      for (const { id, name } of message.calls) names.set(id, name);
      if (answer.content.length === 0) continue;
      last = messages.push(answer) - 1;
    } else if (message.role === "user") messages.push(userMessage(message.content, speaker));
    else messages.push(isAlone ? resultOf(message, names, speaker) : resultAsWords(message, names, speaker));
  }
  const cut = isAlone ? cutAfter(messages, last) : last + 1;
  const now = messages.slice(cut);
  if (now.length === 0) throw badRequest("openai.nothing-new", param);
  const instructions = told.flatMap((message) => (message.role === "instructions" ? [message.text] : []));
  return {
    given: { earlier: isAlone ? messages.slice(0, cut) : [], now },
    instructions: instructions.filter(Boolean).join("\n\n"),
  };
}

/** Results belong to the calls before them, unless they are all there is to answer. */
function cutAfter(messages: readonly Message[], last: number): number {
  const user = messages.findIndex(({ role }, index) => index > last && role === "user");
  return user < 0 ? last + 1 : user;
}

/** A guest's words are a guest's, whatever role they give them. */
const originFor = (usual: Origin, { isOwner }: Speaker): Origin => (isOwner ? usual : "peer");

function userMessage(content: ReadonlyArray<string | ImageBlock>, speaker: Speaker): UserMessage {
  const own = (text: string): TextBlock => ({
    type: "text",
    text,
    origin: originFor("owner", speaker),
    from: speaker.name,
    typed: false,
  });
  return { role: "user", content: content.map((part) => (typeof part === "string" ? own(part) : part)) };
}

function toldAnswer(
  { text, calls }: Extract<ToldMessage, { role: "assistant" }>,
  speaker: Speaker,
): AssistantMessage {
  return {
    role: "assistant",
    content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls.map(toldCall)],
    origin: originFor("quoted", speaker),
    from: "an answer that the caller tells",
    provider: "caller",
    model: "unknown",
    usage: noUsage(),
    stopReason: calls.length > 0 ? "toolUse" : "stop",
  };
}

function toldCall({ id, name, arguments: text }: ToldCall): ToolCallBlock {
  const given = objectIn(text);
  const block = { type: "toolCall" as const, id, name };
  return given ? { ...block, arguments: given } : { ...block, arguments: {}, invalidArguments: text };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Kept as it is, and shown as what it is.
    return undefined;
  }
}

type ToldResult = Extract<ToldMessage, { role: "tool" }>;

function resultOf(
  { callId, text, path }: ToldResult,
  names: ReadonlyMap<string, string>,
  speaker: Speaker,
): ToolResultMessage {
  const toolName = names.get(callId);
  if (toolName === undefined) throw badRequest("openai.no-call", path, { id: callId });
  return {
    role: "toolResult",
    toolCallId: callId,
    toolName,
    content: [{ type: "text", text }],
    isError: false,
    origin: originFor("tool", speaker),
    from: `the caller's tool ${toolName}`,
  };
}

function resultAsWords(
  { callId, text }: ToldResult,
  names: ReadonlyMap<string, string>,
  speaker: Speaker,
): UserMessage {
  const tool = names.get(callId);
  const block: TextBlock = {
    type: "text",
    text: `What came of the call ${tool === undefined ? callId : `${callId} of ${tool}`}:\n${text}`,
    origin: originFor("tool", speaker),
    from: tool === undefined ? "a tool of the caller" : `the caller's tool ${tool}`,
  };
  return { role: "user", content: [block] };
}
