/** A model that follows the test's script, step by step, and records its requests. */
import { noUsage, type AssistantMessage, type ModelErrorCode, type ToolCallBlock } from "../message.ts";
import type { Model, ModelRequest } from "../model.ts";

/** One answer: words, tool calls, or a failure. */
export type ScriptedStep =
  | { text: string; usage?: Partial<AssistantMessage["usage"]> }
  | {
      calls: Array<{ name: string; arguments?: Record<string, unknown>; invalidArguments?: string }>;
      text?: string;
    }
  | { error: string; code?: ModelErrorCode }
  /** The stream just stops, without its last event. */
  | { silence: true };

export interface ScriptedModel extends Model {
  /** What it was asked, request by request, as it was at that moment. */
  requests: Array<Pick<ModelRequest, "systemPrompt" | "messages" | "tools">>;
}

/** After the last step it repeats that one, so that a script can describe a model that never ends. */
export function createScriptedModel(steps: ScriptedStep[], provider = "scripted"): ScriptedModel {
  const requests: ScriptedModel["requests"] = [];
  let callCount = 0;
  return {
    provider,
    id: "script",
    requests,
    async *stream({ systemPrompt, messages, tools, signal }) {
      requests.push(structuredClone({ systemPrompt, messages, tools: tools.map((tool) => ({ ...tool })) }));
      const step = steps[Math.min(requests.length, steps.length) - 1];
      const end = (rest: Pick<AssistantMessage, "content" | "stopReason"> & Partial<AssistantMessage>) => ({
        type: "end" as const,
        message: { role: "assistant" as const, provider, model: "script", usage: noUsage(), ...rest },
      });
      if (signal.aborted) return yield end({ content: [], stopReason: "aborted" });
      if (!step || "silence" in step) return;
      if ("error" in step) {
        const code = step.code && { errorCode: step.code };
        return yield end({ content: [], stopReason: "error", errorMessage: step.error, ...code });
      }
      const text = step.text ? [{ type: "text" as const, text: step.text }] : [];
      if (step.text) yield { type: "text-delta", text: step.text };
      if (!("calls" in step)) {
        const usage = { ...noUsage(), ...step.usage };
        return yield end({ content: text, stopReason: "stop", usage });
      }
      const calls = step.calls.map((call): ToolCallBlock => ({
        type: "toolCall",
        id: `call_${++callCount}`,
        arguments: {},
        ...call,
      }));
      for (const call of calls) yield { type: "tool-call", call };
      yield end({ content: [...text, ...calls], stopReason: "toolUse" });
    },
  };
}
