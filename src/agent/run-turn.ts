/**
 * One turn: the user's message is stored, the model is asked, its tool calls are run, and so on until it
 * has answered or the step limit is reached. Everything said and done is stored as it happens; a turn
 * that fails still ends with one line the user sees.
 */
import {
  noUsage,
  textOf,
  toolFailure,
  type AssistantMessage,
  type Entry,
  type Message,
  type Model,
  type ModelEvent,
  type ToolCallBlock,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import { buildMessages, recentHistory } from "./build-context.ts";

export interface TurnParts {
  /** The session's transcript, already bound to its session and lease. */
  transcript: {
    /** Resolves to the messages as they were stored, when they are on the disk. */
    append(messages: Message[]): Promise<Message[]>;
    recent(limit: number): Promise<Entry[]>;
  };
  model: Model;
  tools: {
    /** What the model is shown. */
    descriptions: ToolDescription[];
    /** Passes the gate, then runs; never throws. */
    call(block: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
  };
  texts: { stepLimit(steps: number): string; modelFailed(reason: string): string; aborted(): string };
}

export interface TurnRequest {
  input: string;
  systemPrompt: string;
  maxSteps: number;
  maxContextMessages: number;
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
}

export type TurnEvent =
  | ModelEvent
  | { type: "tool-call-start"; call: ToolCallBlock }
  | { type: "tool-call-end"; call: ToolCallBlock; result: ToolResult };

export type TurnEnding =
  | { type: "answered" }
  | { type: "step-limit"; steps: number }
  | { type: "model-failed"; reason: string }
  | { type: "aborted" };

export interface TurnOutcome {
  ending: TurnEnding;
  /** What the user is shown, whatever happened. */
  text: string;
  toolCalls: ToolCallBlock[];
  toolResults: Array<{ call: ToolCallBlock; result: ToolResult }>;
  messages: AssistantMessage[];
}

export async function runTurn(parts: TurnParts, request: TurnRequest): Promise<TurnOutcome> {
  const { transcript, model, tools, texts } = parts;
  const outcome: TurnOutcome = {
    ending: { type: "answered" },
    text: "",
    toolCalls: [],
    toolResults: [],
    messages: [],
  };
  // One place of the limit is the question's own.
  const older = request.maxContextMessages - 1;
  const history = recentHistory(await transcript.recent(older), older);
  const turn: Message[] = [];
  const keep = async (message: Message) => void turn.push(...(await transcript.append([message])));
  await keep({ role: "user", content: [{ type: "text", text: request.input }] });

  for (let step = 0; ; step++) {
    const messages = buildMessages(history, turn);
    const reply = await askModel(model, {
      systemPrompt: request.systemPrompt,
      messages,
      tools: tools.descriptions,
      signal: request.signal,
      onEvent: request.onEvent,
    });
    outcome.messages.push(reply);

    const calls = reply.content.filter((block) => block.type === "toolCall");
    if (calls.length === 0 || reply.stopReason === "error" || reply.stopReason === "aborted") {
      outcome.ending = endingOf(reply, request.signal);
      outcome.text = textFor(outcome.ending, reply, texts);
      await keep(withText(reply, outcome.text));
      return outcome;
    }

    await keep(reply);
    outcome.toolCalls.push(...calls);
    const atLimit = step >= request.maxSteps;
    // All of them end before the turn goes on or fails, so that none runs on when the session is no longer ours.
    const ended = await Promise.allSettled(
      calls.map(async (call) => {
        request.onEvent?.({ type: "tool-call-start", call });
        const result = atLimit ? notRun(request.maxSteps) : await tools.call(call, request.signal);
        await keep(resultMessage(call, result));
        outcome.toolResults.push({ call, result });
        request.onEvent?.({ type: "tool-call-end", call, result });
      }),
    );
    for (const each of ended) if (each.status === "rejected") throw each.reason;
    if (!atLimit) continue;
    outcome.ending = { type: "step-limit", steps: request.maxSteps };
    outcome.text = texts.stepLimit(request.maxSteps);
    await keep(withText({ ...reply, usage: noUsage(), stopReason: "stop" }, outcome.text));
    return outcome;
  }
}

/** Every call gets a result, also the one that the limit kept from running. */
const notRun = (steps: number) =>
  toolFailure("execution_error", `not run: the limit of ${steps} tool steps was reached`);

/** Drains the stream. A stream that ends without its `end` event is a failure like any other. */
async function askModel(
  model: Model,
  { onEvent, ...request }: Parameters<Model["stream"]>[0] & { onEvent: TurnRequest["onEvent"] },
): Promise<AssistantMessage> {
  let ended: AssistantMessage | undefined;
  for await (const event of model.stream(request)) {
    if (event.type === "end") ended = event.message;
    onEvent?.(event);
  }
  return (
    ended ?? {
      role: "assistant",
      content: [],
      provider: model.provider,
      model: model.id,
      usage: noUsage(),
      stopReason: "error",
      errorMessage: "the stream ended without an answer",
    }
  );
}

function endingOf(reply: AssistantMessage, signal: AbortSignal): TurnEnding {
  if (reply.stopReason === "aborted" || signal.aborted) return { type: "aborted" };
  if (reply.stopReason === "error") {
    return { type: "model-failed", reason: reply.errorMessage ?? "unknown error" };
  }
  if (textOf(reply).trim() === "") return { type: "model-failed", reason: "it answered with nothing" };
  return { type: "answered" };
}

function textFor(ending: TurnEnding, reply: AssistantMessage, texts: TurnParts["texts"]): string {
  const partial = textOf(reply);
  switch (ending.type) {
    case "model-failed":
      return [partial, texts.modelFailed(ending.reason)].filter(Boolean).join("\n\n");
    case "aborted":
      return [partial, texts.aborted()].filter(Boolean).join("\n\n");
    default:
      return partial;
  }
}

/** The reply as it is stored: what the user was shown, without calls that were never run. */
const withText = (reply: AssistantMessage, text: string): AssistantMessage => ({
  ...reply,
  content: [...reply.content.filter((block) => block.type === "thinking"), { type: "text", text }],
});

const resultMessage = (call: ToolCallBlock, result: ToolResult): Message => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: result.content,
  isError: !result.ok,
  details: { ...result, content: undefined },
});
