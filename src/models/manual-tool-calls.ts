/**
 * Lets a person call a tool by writing `tool:name {json}`, whichever model is connected. The call takes
 * the model's place for that turn, so it passes the same gate, the same limits and the same transcript.
 */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type Model,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@pincer/sdk";

export const withManualToolCalls = (model: Model, makeCallId: () => string): Model => ({
  provider: model.provider,
  id: model.id,
  ...(model.limits && { limits: model.limits }),
  async *stream(request) {
    const asked = request.messages.findLast((message) => message.role === "user");
    const call = asked && parseManualToolCall(textOf(asked), makeCallId);
    if (!call || request.signal.aborted) return yield* model.stream(request);

    const since = request.messages.slice(request.messages.lastIndexOf(asked) + 1);
    const result = since.find((message): message is ToolResultMessage => message.role === "toolResult");
    if (result) {
      const text = textOf(result);
      yield { type: "text-delta", text };
      yield { type: "end", message: said(model, [{ type: "text", text }], "stop") };
    } else {
      yield { type: "tool-call", call };
      yield { type: "end", message: said(model, [call], "toolUse") };
    }
  },
});

/** `tool:name` or `tool:name {json}`; undefined when the text is not such a call. */
export function parseManualToolCall(text: string, makeCallId: () => string): ToolCallBlock | undefined {
  const match = /^tool:\s*([A-Za-z][\w.-]*)\s*(.*)$/s.exec(text.trim());
  if (!match) return undefined;
  const [, name = "", written = ""] = match;
  const call: ToolCallBlock = { type: "toolCall", id: makeCallId(), name, arguments: {} };
  if (written === "") return call;
  const value = parseObject(written);
  return value ? { ...call, arguments: value } : { ...call, invalidArguments: written };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Not JSON: the caller reports it as arguments that cannot be used.
    return undefined;
  }
}

const said = (
  model: Model,
  content: AssistantMessage["content"],
  stopReason: AssistantMessage["stopReason"],
): AssistantMessage => ({
  role: "assistant",
  content,
  provider: model.provider,
  model: model.id,
  usage: noUsage(),
  stopReason,
});
