import { noUsage, type Message } from "@pincer/sdk";
import { expect, it } from "vitest";
import { nameWaitingCalls } from "./waiting-calls.ts";

const question: Message = { role: "user", content: [{ type: "text", text: "send it" }] };
const calling: Message = {
  role: "assistant",
  content: ["a", "b"].map((id) => ({ type: "toolCall", id, name: "exec", arguments: {} })),
  provider: "test",
  model: "test",
  usage: noUsage(),
  stopReason: "toolUse",
};

it("tells the model of a call that it waits for the owner, and says nothing about one that was interrupted", async () => {
  const told = await nameWaitingCalls([question, calling, question], async () => new Set(["a"]));
  expect(told).toMatchObject([
    question,
    calling,
    {
      role: "toolResult",
      toolCallId: "a",
      content: [{ text: expect.stringMatching(/waits for the owner/) }],
    },
    question,
  ]);
});

it("asks nobody where every call has its result", async () => {
  const results = ["a", "b"].map((id): Message => ({
    role: "toolResult",
    toolCallId: id,
    toolName: "exec",
    content: [],
    isError: false,
  }));
  const messages = [question, calling, ...results];
  const ask = () => Promise.reject(new Error("asked"));
  expect(await nameWaitingCalls(messages, ask)).toBe(messages);
});
