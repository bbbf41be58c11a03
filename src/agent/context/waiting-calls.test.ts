import { noUsage, type Message, type MessageEntry } from "@pincer/sdk";
import { expect, it } from "vitest";
import { nameWaitingCalls } from "./waiting-calls.ts";

const question: Message = { role: "user", content: [{ type: "text", text: "send it" }] };
const calling = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "toolCall", id, name: "exec", arguments: {} })),
  provider: "test",
  model: "test",
  usage: noUsage(),
  stopReason: "toolUse",
});
const result = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "exec",
  content: [],
  isError: false,
});
const said = (...messages: Message[]): MessageEntry[] =>
  messages.map((message, index) => ({
    type: "message",
    seq: index + 1,
    time: "2026-07-01T12:00:00.000Z",
    message,
  }));
const words = { content: [{ text: expect.stringMatching(/waits for the owner/) }] };

it("tells the model of a call that it waits for the owner, and says nothing about one that was interrupted", async () => {
  const [first, second, third] = said(question, calling("a", "b"), question);
  const told = await nameWaitingCalls([first!, second!, third!], async () => new Set(["a"]));
  expect(told).toMatchObject([
    first,
    second,
    { seq: 2, message: { role: "toolResult", toolCallId: "a", ...words } },
    third,
  ]);
});

it("tells it of the last call with an id that a model used twice", async () => {
  const entries = said(question, calling("a"), result("a"), question, calling("a"), question);
  const told = await nameWaitingCalls(entries, async () => new Set(["a"]));
  expect(told.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 5, 6]);
  expect(told[5]?.message).toMatchObject(words);
});

it("asks nobody where every call has its result", async () => {
  const entries = said(question, calling("a", "b"), result("a"), result("b"));
  const ask = () => Promise.reject(new Error("asked"));
  expect(await nameWaitingCalls(entries, ask)).toBe(entries);
});
