import { textOf, type Message, type Model, type ModelEvent } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { parseManualToolCall, withManualToolCalls } from "./manual-tool-calls.ts";
import { createStubModel } from "./stub-model.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const id = () => "call_1";

async function stream(model: Model, messages: Message[]): Promise<ModelEvent[]> {
  const signal = new AbortController().signal;
  return Array.fromAsync(model.stream({ systemPrompt: "", messages, tools: [], signal }));
}

describe("the stub model", () => {
  it("LOOP-09 answers without a network and says how to connect a model", async () => {
    const events = await stream(createStubModel(createSay("en")), [user("hi")]);
    const last = events.at(-1);
    expect(last?.type === "end" && textOf(last.message)).toContain("no model is connected");
    expect(last?.type === "end" && textOf(last.message)).toContain("agents.defaults.model.primary");
  });

  it("speaks Chinese to Chinese users", async () => {
    const events = await stream(createStubModel(createSay("zh")), [user("你好")]);
    const last = events.at(-1);
    expect(last?.type === "end" && textOf(last.message)).toContain("还没有连接模型");
  });
});

describe("a tool called by hand", () => {
  it.each([
    ["tool:time.now", { name: "time.now", arguments: {} }],
    ['tool:read {"path":"a.md"}', { name: "read", arguments: { path: "a.md" } }],
    ['  tool: read\n{"path":"a.md"}  ', { name: "read", arguments: { path: "a.md" } }],
    ["tool:read a.md", { name: "read", arguments: {}, invalidArguments: "a.md" }],
    ["tool:read [1]", { name: "read", arguments: {}, invalidArguments: "[1]" }],
  ])("is read from %j", (text, expected) => {
    expect(parseManualToolCall(text, id)).toEqual({ type: "toolCall", id: "call_1", ...expected });
  });

  it.each(["tools: which are there?", "use tool:read", "tool:", "tool:9", ""])(
    "is not read from %j",
    (text) => {
      expect(parseManualToolCall(text, id)).toBeUndefined();
    },
  );

  it("CLI-12 takes the model's place, then says the tool's answer", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    const model = withManualToolCalls(inner, id);
    const asked = user("tool:time_now");
    const first = await stream(model, [asked]);
    expect(first.map((event) => event.type)).toEqual(["tool-call", "end"]);

    const call = first.at(-1);
    if (call?.type !== "end") throw new Error("no end");
    const result: Message = {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "time_now",
      content: [{ type: "text", text: "noon" }],
      isError: false,
    };
    const second = (await stream(model, [asked, call.message, result])).at(-1);
    expect(second?.type === "end" && textOf(second.message)).toBe("noon");
    expect(inner.requests).toHaveLength(0);
  });

  it("leaves every other message to the model", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    await stream(withManualToolCalls(inner, id), [user("tool:time_now"), user("and now?")]);
    expect(inner.requests).toHaveLength(1);
  });
});
