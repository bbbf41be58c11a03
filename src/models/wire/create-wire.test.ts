import { createHandClock } from "@pincer/sdk/testing";
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ask, askFor, fetchOf, listen, question, testRecord, testWire } from "./testing/ask-wire.ts";
import { calling, chat, done, sse } from "./testing/chat-stream.ts";
import { recorded } from "./testing/replay-server.ts";

const nowhere = "http://127.0.0.1:1";
const completions = () => testRecord("openai-completions", nowhere);

describe("answers out of the ordinary", () => {
  it("keeps words that came in pieces only, and words that came at the end only", async () => {
    const text = await recorded("openai-responses", "text");
    const record = testRecord("openai-responses", nowhere);
    const piecesOnly = text.replaceAll(
      /"content":\[\{"type":"output_text","annotations":\[\],"text":"Hello[^"]*"\}\]/g,
      '"content":[]',
    );
    expect(piecesOnly).not.toBe(text);
    const first = await askFor(piecesOnly, record);
    expect(first.message.content).toMatchObject([{ type: "text", text: "Hello, wörld! 你好 👋" }]);
    const endOnly = text.replaceAll(/event: response\.output_text\.delta\ndata:[^\n]*\n\n/g, "");
    const second = await askFor(endOnly, record);
    expect([second.text, second.message.content]).toMatchObject([
      "Hello, wörld! 你好 👋",
      [{ text: "Hello, wörld! 你好 👋" }],
    ]);
  });

  it("says that it was cut for length, and takes calls for calls though the server says stop", async () => {
    const cut = await askFor(sse(chat({ content: "so far" }), chat({}, "length")) + done);
    expect([cut.message.stopReason, cut.text]).toEqual(["length", "so far"]);
    const entry = { index: 0, id: "c", function: { name: "read", arguments: "{}" } };
    const called = await askFor(sse(calling(entry), chat({}, "stop")) + done);
    expect(called.message.stopReason).toBe("toolUse");
    const none = await askFor(sse(chat({ content: "hi" }), chat({}, "tool_calls")) + done);
    expect(none.message.stopReason).toBe("stop");
  });

  it("MODEL-08 estimates what an answer took when the wire does not tell", async () => {
    const { message } = await askFor(sse(chat({ content: "x".repeat(400) }), chat({}, "stop")) + done);
    const { input, output, estimated, total, cost } = message.usage;
    expect([output, estimated, total]).toEqual([100, true, input + 100]);
    expect(input).toBe(Math.ceil("Be brief.What is in my notes?".length / 4));
    expect(cost).toBeCloseTo((input * 2 + 100 * 10) / 1e6, 12);
  });

  it("tells a question that left no room from an empty answer", async () => {
    const usage = { prompt_tokens: 199_900, completion_tokens: 0, total_tokens: 199_900 };
    const full = await askFor(sse({ ...chat({}, "length"), usage }) + done);
    expect(full.failure?.code).toBe("context_overflow");
    const thought = await askFor(sse(chat({ reasoning_content: "hm" }), chat({}, "stop")) + done);
    expect(thought.failure?.code).toBe("empty");
  });

  it.each([
    [
      "an error in mid-stream",
      sse(chat({ content: "so" }), { error: { message: "Provider overloaded", code: 529 } }),
      "overloaded",
    ],
    ["a content filter", sse(chat({ content: "so" }), chat({}, "content_filter")), "refused"],
    [
      "an error without an answer",
      sse({ error: { message: "Rate limit exceeded: free-models-per-day", code: 429 } }),
      "rate_limit",
    ],
  ])("MODEL-09 knows %s for what it is", async (_, body, code) => {
    const { failure, message } = await askFor(body);
    expect([failure?.code, message.stopReason]).toEqual([code, "error"]);
  });

  it("MODEL-09 hears a refusal that Anthropic sends as an event", async () => {
    const text = await recorded("anthropic-messages", "text");
    const head = text.slice(0, text.indexOf("event: content_block_stop"));
    const error =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const { failure } = await askFor(head + error, testRecord("anthropic-messages", nowhere));
    expect(failure).toMatchObject({ code: "overloaded", message: "Overloaded" });
  });

  it("ends with a failure when the format is unknown, and when media cannot be read", async () => {
    expect((await ask(testWire(), testRecord("telepathy", nowhere))).failure?.message).toContain("telepathy");
    expect((await ask(testWire(), testRecord("constructor", nowhere))).message.stopReason).toBe("error");
  });

  it("says once a second that more has come while nothing can be shown", async () => {
    const clock = createHandClock();
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    const send = (...events: object[]) => body?.enqueue(Buffer.from(sse(...events)));
    const wire = testWire({ clock, fetch: async () => new Response(stream) });
    const heard: string[] = [];
    const end = (async () => {
      for await (const { type } of wire.stream(completions(), {}, question())) heard.push(type);
    })();
    const until = async (count: number) => {
      while (heard.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    send(calling({ index: 0, id: "c", function: { name: "read", arguments: '{"a":"' } }));
    await until(1);
    await clock.advance(1500);
    send(calling({ index: 0, function: { arguments: "x" } }));
    await until(2);
    send(calling({ index: 0, function: { arguments: '"}' } }), chat({}, "tool_calls"));
    body?.close();
    await end;
    expect(heard).toEqual(["begun", "alive", "tool-call", "end"]);
  });

  it("waits no longer for an end of the connection that broke after the last words, and leaves nothing behind", async () => {
    for (const last of [sse(chat({}, "stop")), done]) {
      const clock = createHandClock();
      const { signal } = new AbortController();
      const pieces = [sse(chat({ content: "so" })), last];
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = pieces.shift();
            if (piece === undefined) controller.error(new TypeError("terminated"));
            else controller.enqueue(Buffer.from(piece));
          },
        },
        { highWaterMark: 0 },
      );
      const wire = testWire({ clock, fetch: async () => new Response(body) });
      const { text } = await ask(wire, completions(), { signal });
      expect(text).toBe("so");
      expect(clock.sleeping()).toBe(0);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
  });

  it("gives up the request when the reader leaves", async () => {
    let aborted: Promise<unknown> | undefined;
    const wire = testWire({
      fetch: async (_, init) => {
        aborted = new Promise((resolve) => init?.signal?.addEventListener("abort", resolve));
        return fetchOf(Buffer.from(sse(chat({ content: "so" }))))("");
      },
    });
    for await (const event of wire.stream(completions(), {}, question()))
      if (event.type === "text-delta") break;
    await aborted;
    expect(aborted).toBeDefined();
  });

  it("MODEL-07 gives the same whole message to one who only waits for the end", async () => {
    const fetch = fetchOf(Buffer.from(await recorded("openai-completions", "tool")));
    const { message, text } = await listen(testWire({ fetch }).stream(completions(), {}, question()));
    expect(message.content[0]).toEqual({ type: "text", text });
  });
});
