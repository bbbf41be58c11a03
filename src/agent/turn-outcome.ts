/** The outcome of a turn, read from what it stored: the same whether it has just ended or did so before a restart. */
import {
  textOf,
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolResult,
  type ToolResultMessage,
} from "@pincer/sdk";
import type { TokenCounters } from "../storage/stores.ts";

export interface TurnOutcome {
  /** What the user is shown, whatever happened. */
  text: string;
  toolCalls: ToolCallBlock[];
  toolResults: Array<{ call: ToolCallBlock; result: ToolResult }>;
  messages: AssistantMessage[];
}

export function outcomeOf(turn: readonly Message[]): TurnOutcome {
  const messages = turn.filter((message) => message.role === "assistant");
  const toolCalls = messages.flatMap(callsOf);
  // Some models use the same ids in every answer: a result belongs to the call of the answer before it.
  let open = new Map<string, ToolCallBlock>();
  const toolResults = turn.flatMap((message) => {
    if (message.role === "assistant") open = new Map(callsOf(message).map((call) => [call.id, call]));
    const call = message.role === "toolResult" && open.get(message.toolCallId);
    return call ? [{ call, result: resultOf(message) }] : [];
  });
  const last = messages.at(-1);
  return { text: last ? textOf(last) : "", toolCalls, toolResults, messages };
}

const callsOf = ({ content }: AssistantMessage): ToolCallBlock[] =>
  content.filter((block) => block.type === "toolCall");

function resultOf({ content, isError, details }: ToolResultMessage): ToolResult {
  return { ok: !isError, usage: { durationMs: 0 }, ...(details as Partial<ToolResult>), content };
}

/** Counted as a rebuild from the transcript counts them. */
export function tokensOf(turn: readonly Message[]): TokenCounters {
  const tokens: TokenCounters = { input: 0, output: 0, context: 0, total: 0 };
  for (const message of turn) {
    if (message.role !== "assistant") continue;
    const { usage } = message;
    tokens.input += usage.input;
    tokens.output += usage.output;
    tokens.total += usage.total;
    tokens.context = usage.input + usage.cacheRead + usage.cacheWrite;
  }
  return tokens;
}
