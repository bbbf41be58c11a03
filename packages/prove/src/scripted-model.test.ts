import { textOf, type AssistantMessage, type Message, type ModelEvent } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createProveModel } from "./scripted-model.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

const result = (toolCallId: string, isError = false): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "prove_effect",
  content: [],
  isError,
});

let deaths = 0;
const model = createProveModel({
  clock: { ...createHandClock(), sleep: () => Promise.resolve() },
  die: () => deaths++,
  pauseMs: 1,
});

async function ask(messages: Message[]): Promise<AssistantMessage> {
  const request = { systemPrompt: "", messages, tools: [], signal: new AbortController().signal };
  const events: ModelEvent[] = await Array.fromAsync(model.stream(request));
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error("no end");
  const streamed = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  expect(streamed).toBe(textOf(last.message));
  return last.message;
}

const callsOf = ({ content }: AssistantMessage) =>
  content.flatMap((block) => (block.type === "toolCall" ? [`${block.name} ${block.id}`] : []));

describe("the model of the proof", () => {
  it("answers every message since its last answer, by name", async () => {
    const first = await ask([user("m1 say")]);
    expect(textOf(first)).toBe("re m1.");
    expect(textOf(await ask([user("m1 say"), first, user("m2 slow\nm3 say"), user("m4 say")]))).toBe(
      "re m2 m3 m4.",
    );
  });

  it("calls two tools at once and then a third, and tells how they ended", async () => {
    const messages = [user("m1 tools")];
    const first = await ask(messages);
    expect(callsOf(first)).toEqual(["prove_effect call_m1_a", "prove_look call_m1_b"]);
    messages.push(first, result("call_m1_a"), result("call_m1_b"));
    const second = await ask(messages);
    expect(callsOf(second)).toEqual(["prove_effect call_m1_c"]);
    messages.push(second, result("call_m1_c", true));
    expect(textOf(await ask(messages))).toBe("re m1.\nm1 did a=done b=done c=unknown.");
  });

  it("goes on the same way when it is asked the same again", async () => {
    const messages = [user("m1 tools"), user("m2 tools")];
    const [one, other] = [await ask(messages), await ask(messages)];
    expect(other).toEqual(one);
    expect(callsOf(one)).toEqual(["prove_effect call_m1_a", "prove_look call_m1_b"]);
  });

  it("takes the process down for a poisoned message", async () => {
    await ask([user("m1 poison")]);
    expect(deaths).toBe(1);
  });
});
