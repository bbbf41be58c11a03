/** A model that follows the test's script, step by step, and records its requests. */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type ModelErrorCode,
  type ToolCallBlock,
} from "../message.ts";
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
  /** What it was asked, request by request, as it was at that moment. Not as a planner. */
  requests: Array<Pick<ModelRequest, "systemPrompt" | "messages" | "tools">>;
  /** What it was asked as the gate's planner, as JSON. */
  plans: string[];
}

/** What a message of the owner grants, in the planner's form: see `ScriptedModel.plans` for what it is asked. */
export type ScriptedGrant = { tool: string; quote: string } & Record<string, unknown>;

/**
 * After the last step it repeats that one, so that a script can describe a model that never ends. As the gate's
 * planner it answers with `grants`, beside its script.
 */
export function createScriptedModel(
  steps: ScriptedStep[],
  provider = "scripted",
  grants: (message: string) => ScriptedGrant[] = () => [],
): ScriptedModel {
  const requests: ScriptedModel["requests"] = [];
  const plans: string[] = [];
  let callCount = 0;
  return {
    provider,
    id: "script",
    requests,
    plans,
    async *stream({ systemPrompt, messages, tools, signal }) {
      if (systemPrompt.startsWith(plannersFirstWords)) {
        const asked = messages.map(textOf).join("\n");
        plans.push(asked);
        const { message } = JSON.parse(asked) as { message: string };
        const text = JSON.stringify({ grants: grants(message) });
        const content = [{ type: "text" as const, text }];
        const usage = noUsage();
        yield {
          type: "end",
          message: { role: "assistant", provider, model: "script", usage, content, stopReason: "stop" },
        };
        return;
      }
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

const plannersFirstWords = "You read one message of the owner";
