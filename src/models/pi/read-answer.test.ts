import { describe, expect, it } from "vitest";
import { ask, askFor, callsOf, fetchOf, testRecord, testWire } from "../wire/testing/ask-wire.ts";
import { calling, chat, done, sse } from "../wire/testing/chat-stream.ts";
import { recorded } from "../wire/testing/replay-server.ts";

const nowhere = "http://127.0.0.1:1";
describe("tool arguments", () => {
  const ended = (...events: object[]) => sse(...events, chat({}, "tool_calls")) + done;
  const first = (text: string, more: object = {}) => ({
    index: 0,
    id: "call_1",
    type: "function",
    function: { name: "read", arguments: text },
    ...more,
  });

  it.each([
    ["broken", '{"path":"a.md"'],
    ["a list", '["a.md"]'],
    ["a number", "7"],
    ["null", "null"],
    ["two objects", '{"a":1}{"b":2}'],
    ["a raw line feed in a text", '{"path":"a\nb"}'],
    ["a trailing comma", '{"path":"a",}'],
  ])("that are %s come as they are, never guessed at", async (_, text) => {
    const { message } = await askFor(
      ended(calling(first(text.slice(0, 3))), calling({ index: 0, function: { arguments: text.slice(3) } })),
    );
    expect(callsOf(message)).toEqual([
      { type: "toolCall", id: "call_1", name: "read", arguments: {}, invalidArguments: text },
    ]);
    expect(message.stopReason).toBe("toolUse");
  });

  it("that are empty are none, and long broken ones are cut", async () => {
    const none = await askFor(ended(calling(first(""))));
    expect(callsOf(none.message)[0]).toEqual({ type: "toolCall", id: "call_1", name: "read", arguments: {} });
    const long = await askFor(ended(calling(first(`{"x":"${"y".repeat(5000)}`))));
    expect(callsOf(long.message)[0]?.invalidArguments).toHaveLength(2000);
  });

  it("that come as an object are taken as one", async () => {
    const { message } = await askFor(
      ended(calling({ index: 0, id: "c", function: { name: "read", arguments: { path: "a" } } })),
    );
    expect(callsOf(message)[0]?.arguments).toEqual({ path: "a" });
  });

  it("get an id where one is missing or given twice", async () => {
    const call = (index: number, id?: string) => ({
      index,
      ...(id ? { id } : {}),
      function: { name: "read", arguments: "{}" },
    });
    const { message } = await askFor(
      ended(calling(call(0, "same")), calling(call(1)), calling(call(2, "third"))),
    );
    const ids = callsOf(message).map(({ id }) => id);
    expect(ids).toEqual(["same", "made_1", "third"]);
    const anthropic = (await recorded("anthropic-messages", "parallel")).replaceAll("toolu_b", "toolu_a");
    const doubled = await askFor(anthropic, testRecord("anthropic-messages", nowhere));
    expect(callsOf(doubled.message).map(({ id }) => id)).toEqual(["toolu_a", "made_1"]);
  });

  it("beyond the limit end the answer, and the model is told", async () => {
    const pieces = Array.from({ length: 500 }, () =>
      calling({ index: 0, function: { arguments: "x".repeat(100) } }),
    );
    const wire = testWire({
      settings: { maxArgumentsBytes: 10_000 },
      fetch: fetchOf(
        Buffer.from(sse(chat({ content: "I write." }), calling(first('{"content":"')), ...pieces)),
      ),
    });
    const { message, failure } = await ask(wire, testRecord("openai-completions", nowhere));
    expect(failure).toBeUndefined();
    expect(message).toMatchObject({ stopReason: "toolUse", usage: { estimated: true } });
    expect(message.content).toEqual([
      { type: "text", text: "I write." },
      {
        type: "toolCall",
        id: "call_1",
        name: "read",
        arguments: {},
        invalidArguments: "(arguments of more than 10000 bytes)",
      },
    ]);
  });

  it("are found when a server gives them at once instead of in pieces", async () => {
    const responses = (await recorded("openai-responses", "tool")).replaceAll(
      /event: response\.function_call_arguments[^\n]*\ndata:[^\n]*\n\n/g,
      "",
    );
    const { message } = await askFor(responses, testRecord("openai-responses", nowhere));
    expect(callsOf(message)[0]?.arguments).toEqual({ path: "notes/to ü do.md", limit: 20 });
    const anthropic = (await recorded("anthropic-messages", "tool"))
      .replaceAll(/event: content_block_delta\ndata:[^\n]*input_json_delta[^\n]*\n\n/g, "")
      .replace('"input":{}', '"input":{"path":"whole"}');
    const whole = await askFor(anthropic, testRecord("anthropic-messages", nowhere));
    expect(callsOf(whole.message)[0]?.arguments).toEqual({ path: "whole" });
  });
});
