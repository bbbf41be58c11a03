import { noUsage, type AssistantMessage, type Message } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { ModelRecord } from "../model-record.ts";
import { prepareHistory } from "./prepare-history.ts";
import { targets } from "./testing/any-history.ts";
import { thinkingFits } from "./thinking-fits.ts";

const [claude, gpt] = targets as [ModelRecord, ModelRecord];
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const thought = { type: "thinking" as const, thinking: "hm", signature: "c2ln" };
const words = { type: "text" as const, text: "let me see" };
const step = (
  id: string,
  before: AssistantMessage["content"],
  { provider, id: model, api }: ModelRecord = claude,
): Message[] => [
  {
    role: "assistant",
    content: [...before, { type: "toolCall", id, name: "read", arguments: {} }],
    provider,
    model,
    api,
    usage: noUsage(),
    stopReason: "toolUse",
  },
  {
    role: "toolResult",
    toolCallId: id,
    toolName: "read",
    content: [{ type: "text", text: "done" }],
    isError: false,
  },
];
const fits = (messages: Message[], record = claude) =>
  thinkingFits(prepareHistory(messages, record, "normal"), record);

describe("thinking in the midst of tool calls", () => {
  it("fits where the model itself began them with signed thinking, and at every new question", () => {
    expect(fits([user("hi")])).toBe(true);
    expect(fits([user("hi"), ...step("a", [thought, words])])).toBe(true);
    expect(fits([user("hi"), ...step("a", [thought]), ...step("b", [])])).toBe(true);
    const [made] = step("a", []);
    const said = { ...(made as AssistantMessage), content: [words], stopReason: "stop" as const };
    expect(fits([user("hi"), ...step("a", []), said, user("so?")])).toBe(true);
  });

  it("does not fit where another model began them, or this one without thinking", () => {
    for (const before of [
      [],
      [words],
      [words, thought],
      [{ type: "thinking" as const, thinking: "from a tag" }],
    ])
      expect(fits([user("hi"), ...step("a", before)])).toBe(false);
    expect(fits([user("hi"), ...step("a", [thought], gpt)])).toBe(false);
    expect(fits([user("hi"), ...step("a", []), ...step("b", [thought])])).toBe(false);
    expect(fits([user("hi"), ...step("a", [], gpt), user("be quick")])).toBe(false);
  });

  it("fits always with models that do not mind", () => {
    expect(fits([user("hi"), ...step("a", [])], gpt)).toBe(true);
    const bedrock = { ...claude, api: "bedrock-converse-stream" };
    expect(fits([user("hi"), ...step("a", [])], { ...bedrock, id: "amazon.nova-pro" })).toBe(true);
    expect(fits([user("hi"), ...step("a", [])], { ...bedrock, id: "anthropic.claude-x" })).toBe(false);
  });

  it("fits where the calls are told in plain words", () => {
    const messages = [user("hi"), ...step("a", [])];
    expect(thinkingFits(prepareHistory(messages, claude, "normal", 3), claude)).toBe(true);
  });
});
