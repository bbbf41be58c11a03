import { textOf } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { ask, callsOf, testRecord, testWire } from "./testing/ask-wire.ts";
import { chatEventsOf } from "./whole-answer.ts";

const whole = (message: object, rest: object = {}) =>
  JSON.stringify({
    id: "c1",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop", ...rest }],
    usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
  });
const answered = (body: string) =>
  ask(
    testWire({ fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }) }),
    testRecord("openai-completions", "http://127.0.0.1:1/v1"),
  );

describe("a server that does not stream", () => {
  it("MODEL-07 is understood all the same: words and usage", async () => {
    const { message } = await answered(whole({ content: "Hello there." }));
    expect(textOf(message)).toBe("Hello there.");
    expect(message).toMatchObject({ stopReason: "stop", usage: { input: 11, output: 3 } });
  });

  it("MODEL-07 calls tools", async () => {
    const call = (id: string, text: string) => ({
      id,
      type: "function",
      function: { name: "tools_echo", arguments: JSON.stringify({ text }) },
    });
    const calls = [call("a", "one"), call("b", "two")];
    const { message } = await answered(
      whole({ content: null, tool_calls: calls }, { finish_reason: "tool_calls" }),
    );
    expect(callsOf(message).map(({ id, arguments: given }) => [id, given])).toEqual([
      ["a", { text: "one" }],
      ["b", { text: "two" }],
    ]);
  });

  it.each(["", "{", "null", "[]", "{}", '{"choices":[]}', '{"choices":[{}]}', '{"error":{"message":"no"}}'])(
    "is not taken for one when it says %j",
    async (body) => {
      expect(chatEventsOf(body)).toBeUndefined();
      expect((await answered(body)).failure).toBeDefined();
    },
  );
});
