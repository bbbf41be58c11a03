import { noUsage, type AssistantMessage, type Message } from "@pincer/sdk";
import { expect, it } from "vitest";
import { outcomeOf } from "./turn-outcome.ts";

const calling = (name: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "toolCall", id: "call_0", name, arguments: {} }],
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason: "toolUse",
});
const result = (text: string): Message => ({
  role: "toolResult",
  toolCallId: "call_0",
  toolName: "",
  content: [{ type: "text", text }],
  isError: false,
});

it("gives each result to the call of the answer before it, also where a model uses one id for all", () => {
  const { toolResults } = outcomeOf([calling("look"), result("one"), calling("write"), result("two")]);
  expect(toolResults.map(({ call, result: { content } }) => [call.name, content])).toEqual([
    ["look", [{ type: "text", text: "one" }]],
    ["write", [{ type: "text", text: "two" }]],
  ]);
});
