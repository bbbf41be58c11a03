/**
 * The model of the proof. It keeps nothing: what it says follows from the request alone, so that it goes on after a crash as if
 * nothing had been. A call's id is made of the message and the step, so that one call that ran twice is seen.
 */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelEvent,
  type ToolCallBlock,
} from "@pincer/sdk";
import type { Clock } from "../../../src/infra/clock.ts";
import { forbiddenTool } from "./prove-tools.ts";
import {
  callIdOf,
  forbiddenStep,
  nothingToAnswer,
  readScripts,
  toolSteps,
  writeAnswer,
  type Deed,
  type Script,
} from "./script.ts";

export interface ProveModelParts {
  clock: Clock;
  /** Ends the process at once: a message of kind `poison` was read. */
  die(): void;
  /** How long the pauses of a slow answer are, in milliseconds. */
  pauseMs: number;
}

export function createProveModel({ clock, die, pauseMs }: ProveModelParts): Model {
  return {
    provider: "prove",
    id: "script",
    async *stream({ messages, signal }): AsyncGenerator<ModelEvent> {
      if (signal.aborted) return yield end([], "aborted");
      const waiting = unanswered(messages);
      if (waiting.some(({ kind }) => kind === "poison")) die();
      const calls = nextCalls(waiting, messages);
      if (calls.length > 0) {
        for (const call of calls) yield { type: "tool-call", call };
        return yield end(calls, "toolUse");
      }
      if (waiting.length === 0) {
        const text = nothingToAnswer;
        yield { type: "text-delta", text };
        return yield end([{ type: "text", text }], "stop");
      }
      const text = writeAnswer(waiting, (callId) => deedOf(callId, messages));
      const pieces = waiting.some(({ kind }) => kind === "slow") ? 6 : 2;
      const size = Math.ceil(text.length / pieces);
      for (let from = 0; from < text.length; from += size) {
        if (from > 0 && pieces > 2) await clock.sleep(pauseMs, signal).catch(() => {});
        if (signal.aborted) return yield end([{ type: "text", text: text.slice(0, from) }], "aborted");
        yield { type: "text-delta", text: text.slice(from, from + size) };
      }
      yield end([{ type: "text", text }], "stop");
    },
  };
}

/** What people have asked since the last answer that was one. */
function unanswered(messages: readonly Message[]): Script[] {
  const isAnswer = (message: Message) =>
    message.role === "assistant" && message.content.every((block) => block.type !== "toolCall");
  const since = messages.slice(messages.findLastIndex(isAnswer) + 1);
  const scripts = since.flatMap((message) => (message.role === "user" ? readScripts(textOf(message)) : []));
  return scripts.filter(({ id }, index) => scripts.findIndex((other) => other.id === id) === index);
}

/** The next step of the first message that has one left. */
function nextCalls(waiting: readonly Script[], messages: readonly Message[]): ToolCallBlock[] {
  const called = new Set(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
        : [],
    ),
  );
  for (const { id, kind } of waiting) {
    for (const steps of stepsOf(kind)) {
      const left = steps.filter((step) => !called.has(callIdOf(id, step)));
      if (left.length > 0) return left.map((step) => callFor(id, step));
    }
  }
  return [];
}

const stepsOf = (kind: Script["kind"]): ReadonlyArray<readonly string[]> =>
  kind === "tools" ? toolSteps : kind === "forbidden" ? [[forbiddenStep]] : [];

const callFor = (id: string, step: string): ToolCallBlock => ({
  type: "toolCall",
  id: callIdOf(id, step),
  name: step === forbiddenStep ? forbiddenTool : step === "b" ? "prove_look" : "prove_effect",
  arguments: { message: id, step },
});

function deedOf(callId: string, messages: readonly Message[]): Deed {
  const result = messages.find((message) => message.role === "toolResult" && message.toolCallId === callId);
  return result?.role === "toolResult" && !result.isError ? "done" : "unknown";
}

function end(content: AssistantMessage["content"], stopReason: AssistantMessage["stopReason"]): ModelEvent {
  const usage = { ...noUsage(), input: 10, output: 5, total: 15 };
  return {
    type: "end",
    message: { role: "assistant", content, provider: "prove", model: "script", usage, stopReason },
  };
}
