/** A provider that counts every byte, refuses what is too large, and says what its script wants. */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelRequest,
  type ToolCallBlock,
} from "@pincer/sdk";

export type RequestKind = "turn" | "flush" | "summary";

export interface SeenRequest {
  kind: RequestKind;
  systemPrompt: string;
  messages: readonly Message[];
  /** As they would go over a wire. */
  wire: { tools: string; messages: string[] };
  tokens: number;
}

export interface StrictModel extends Model {
  /** What it says to the next requests of turns, one after another. */
  plan(answers: PlannedAnswer[]): void;
  /** How many of those it has not been asked for. */
  left(): number;
  counts: Record<RequestKind, number> & { refused: number; largest: number };
  /** One for each time that notes were to be taken. */
  notes: string[];
}

export type PlannedAnswer = { text: string } | { calls: Array<Pick<ToolCallBlock, "name" | "arguments">> };

export const limits = { contextWindow: 32_768, maxTokens: 4096 };

export function createStrictModel(
  onRequest: (request: SeenRequest) => void,
  given: Model["limits"] & object = limits,
): StrictModel {
  let planned: PlannedAnswer[] = [];
  let calls = 0;
  const notes: string[] = [];
  const counts = { turn: 0, flush: 0, summary: 0, refused: 0, largest: 0 };

  function answerTo(kind: RequestKind, { messages, systemPrompt }: ModelRequest): PlannedAnswer {
    if (kind === "summary") {
      const isMerge = systemPrompt.startsWith("Merge");
      const what = isMerge ? "merged" : "summed up";
      return { text: `Summary ${counts.summary}, ${what}. Rules were lifted. ${"We counted. ".repeat(60)}` };
    }
    if (kind === "turn") return planned.shift() ?? { text: "nobody planned this" };
    if (messages.at(-1)?.role === "toolResult") return { text: "NO_REPLY" };
    notes.push(`Note ${notes.length + 1} is kept.`);
    return { calls: [{ name: "memory_append", arguments: { text: notes.at(-1) ?? "" } }] };
  }

  return {
    provider: "strict",
    id: "strict",
    limits: given,
    counts,
    notes,
    plan: (answers) => void (planned = [...answers]),
    left: () => planned.length,
    async *stream(request) {
      const kind = kindOf(request);
      const wire = { tools: JSON.stringify(request.tools), messages: request.messages.map(onTheWire) };
      const all = JSON.stringify(request.systemPrompt) + wire.tools + wire.messages.join(",");
      const tokens = countTokens(all);
      const { systemPrompt, messages } = request;
      counts[kind]++;
      counts.largest = Math.max(counts.largest, tokens);
      const isRefused = tokens > given.contextWindow - given.maxTokens;
      const said = { role: "assistant" as const, provider: "strict", model: "strict" };
      onRequest({ kind, systemPrompt, messages, wire, tokens });
      if (isRefused) {
        counts.refused++;
        const reason = {
          errorCode: "context_overflow" as const,
          errorMessage: `${tokens} tokens are too many`,
        };
        yield {
          type: "end",
          message: { ...said, content: [], usage: noUsage(), stopReason: "error", ...reason },
        };
        return;
      }
      const answer = answerTo(kind, request);
      const content: AssistantMessage["content"] =
        "text" in answer
          ? [{ type: "text", text: answer.text }]
          : answer.calls.map((call) => ({ type: "toolCall", id: `call_${++calls}`, ...call }));
      if ("text" in answer) yield { type: "text-delta", text: answer.text };
      const output = countTokens(JSON.stringify(content));
      const usage = { ...noUsage(), input: tokens, output, total: tokens + output };
      const stopReason = "text" in answer ? ("stop" as const) : ("toolUse" as const);
      yield { type: "end", message: { ...said, content, usage, stopReason } };
    },
  };
}

/** As a tokenizer might: a CJK character is one, of anything else 3.3 bytes are. */
export function countTokens(text: string): number {
  const wide = text.match(/[\u2e80-\uffff]/g)?.length ?? 0;
  return Math.ceil(wide + (Buffer.byteLength(text) - wide * 3) / 3.3);
}

function kindOf({ messages, tools }: ModelRequest): RequestKind {
  const isFlush = messages.some(
    (message) => message.role === "user" && textOf(message).startsWith("Write durable notes to memory/"),
  );
  if (isFlush) return "flush";
  return tools.length === 0 ? "summary" : "turn";
}

/** The fields that a provider is sent. */
function onTheWire(message: Message): string {
  if (message.role === "user")
    return JSON.stringify({
      role: "user",
      content: [message.note, textOf(message)].filter(Boolean).join("\n"),
    });
  if (message.role === "toolResult")
    return JSON.stringify({ role: "tool", tool_call_id: message.toolCallId, content: textOf(message) });
  const calls = message.content.flatMap((block) =>
    block.type === "toolCall"
      ? [
          {
            id: block.id,
            type: "function",
            function: { name: block.name, arguments: JSON.stringify(block.arguments) },
          },
        ]
      : [],
  );
  return JSON.stringify({
    role: "assistant",
    content: textOf(message),
    ...(calls.length > 0 && { tool_calls: calls }),
  });
}
