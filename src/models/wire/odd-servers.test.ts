/** Servers that deviate from their format, each as one was met. */
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ask,
  askFor,
  callsOf,
  fetchOf,
  question,
  testRecord,
  testWire,
  type Heard,
} from "./testing/ask-wire.ts";
import { calling, chat, done, sse } from "./testing/chat-stream.ts";

const nowhere = "http://127.0.0.1:1";
const mistral = testRecord("mistral-conversations", nowhere);
const given = ({ message }: Heard) =>
  callsOf(message).map((call) => [call.name, call.invalidArguments ?? call.arguments]);
const entry = (name: string | undefined, text: string, more: object = {}) => ({
  ...more,
  type: "function",
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});
const read = (more: object = {}) => entry("read", '{"p":1}', more);
const write = (more: object = {}) => entry("write", '{"q":2}', more);
const both = [
  ["read", { p: 1 }],
  ["write", { q: 2 }],
];

describe("calls of a server that", () => {
  it.each([
    ["gives all calls the same number", [read({ index: 0, id: "a" }), write({ index: 0, id: "b" })]],
    ["gives all calls the same number and no id", [read({ index: 0, id: "" }), write({ index: 0 })]],
    ["gives all calls the same id", [read({ index: 0, id: "a" }), write({ index: 1, id: "a" })]],
    ["gives neither number nor id", [read(), write()]],
    ["says null for an id", [read({ id: "null" }), write({ id: "null" })]],
    ["begins to count at one", [read({ index: 1, id: "a" }), write({ index: 2, id: "b" })]],
  ])("%s are told apart", async (_, entries) => {
    for (const record of [undefined, mistral]) {
      const together = await askFor(sse(calling(...entries), chat({}, "tool_calls")) + done, record);
      const apart = await askFor(
        sse(...entries.map((one) => calling(one)), chat({}, "tool_calls")) + done,
        record,
      );
      for (const heard of [together, apart]) {
        expect(given(heard)).toEqual(both);
        expect(new Set(callsOf(heard.message).map(({ id }) => id)).size).toBe(2);
      }
    }
  });

  it("calls the same tool twice under one number are told apart", async () => {
    const again = entry("read", '{"p":2}', { index: 0 });
    const third = entry("read", '{"p":3}', { index: 0 });
    const heard = await askFor(
      sse(calling(read({ index: 0 })), calling(again), calling(third), chat({}, "stop")) + done,
    );
    expect(given(heard)).toEqual([1, 2, 3].map((p) => ["read", { p }]));
  });

  it.each([
    ["makes up an id for each piece", { index: 0, id: "a" }, { index: 0, id: "b" }],
    ["gives an id with the first piece only", { id: "a" }, {}],
    ["gives a number with the first piece only", { index: 4 }, {}],
    ["gives the number later", { id: "a" }, { id: "a", index: 3 }],
  ])("%s are put together", async (_, first, later) => {
    const pieces = ['{"p', '":', "1}"].map((text, at) =>
      at === 0 ? entry("read", text, first) : entry(undefined, text, later),
    );
    const body = sse(...pieces.map((piece) => calling(piece)), chat({}, "tool_calls")) + done;
    expect(given(await askFor(body))).toEqual([["read", { p: 1 }]]);
  });

  it("repeats name and id with each piece, or names the tool before there are arguments, are put together", async () => {
    const repeating = ['{"p', '":', "1}", ""].map((text) => calling(entry("read", text, { index: 0 })));
    expect(given(await askFor(sse(...repeating, chat({}, "stop")) + done))).toEqual([["read", { p: 1 }]]);
    const named = calling({ index: 2, id: "a", type: "function", function: { name: "read" } });
    const bare = calling({ index: 2, function: { arguments: '{"p":1}' } });
    expect(given(await askFor(sse(named, bare, chat({}, "stop")) + done))).toEqual([["read", { p: 1 }]]);
    const empty = calling({ index: 2, id: "a", type: "function", function: null });
    const late = calling(entry("read", '{"p":1}', { index: 2 }));
    expect(given(await askFor(sse(empty, late, chat({}, "stop")) + done))).toEqual([["read", { p: 1 }]]);
  });

  it("mixes the pieces of calls with numbers of any kind are put together as they belong", async () => {
    const piece = fc.record({ call: fc.nat({ max: 3 }), text: fc.stringMatching(/^[a-z"\\é ]{0,5}$/) });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), fc.nat({ max: 9 }), async (all, from) => {
        const texts = new Map<string, string>();
        const events = all.map(({ call, text }) => {
          const name = `t${call}`;
          const isFirst = !texts.has(name);
          // Never JSON, so that it comes back as it went out.
          texts.set(name, `${texts.get(name) ?? "x"}${text}`);
          const head = isFirst ? { id: `c${call}` } : {};
          return calling(
            entry(isFirst ? name : undefined, isFirst ? `x${text}` : text, { index: call + from, ...head }),
          );
        });
        const heard = await askFor(sse(...events, chat({ content: "." }), chat({}, "stop")) + done);
        expect(given(heard)).toEqual([...texts]);
      }),
      { numRuns: 60 },
    );
  });

  it("sends the arguments of a response as an object, or the items at its end only, are read", async () => {
    const record = testRecord("openai-responses", nowhere);
    const events = (...all: Array<{ type: string }>) =>
      all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join("");
    const call = { type: "function_call", id: "fc_a", call_id: "a", name: "read" };
    const added = { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } };
    const item = {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...call, arguments: { p: 1 } },
    };
    const completed = (...output: object[]) => ({
      type: "response.completed",
      response: {
        id: "r",
        status: "completed",
        output,
        usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
      },
    });
    expect(given(await askFor(events(added, item, completed()), record))).toEqual([["read", { p: 1 }]]);
    const words = {
      type: "message",
      id: "m",
      role: "assistant",
      content: [{ type: "output_text", text: "hey" }],
    };
    for (const said of ['{"p":1}', { p: 1 }]) {
      const heard = await askFor(events(completed({ ...call, arguments: said }, words)), record);
      expect([given(heard), heard.text]).toEqual([[["read", { p: 1 }]], "hey"]);
    }
    const once = await askFor(events(added, item, completed({ ...call, arguments: '{"p":1}' })), record);
    expect(given(once)).toHaveLength(1);
  });
});

describe("words of a server that", () => {
  it("sends them as a list of parts are read, and the thoughts among them as thoughts", async () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] };
    const body = sse(
      chat({ content: [thinking, { type: "text", text: "h" }, "i"] }),
      chat({ content: [] }),
      chat({}, "stop"),
    );
    const { text, thinking: thought, message } = await askFor(body + done);
    expect([text, thought, message.content.map(({ type }) => type)]).toEqual([
      "hi",
      "hm",
      ["thinking", "text"],
    ]);
  });

  it.each(["", "\n"])("leaves out the blank line after its last event (%j) are whole", async (end) => {
    const last = `data: ${JSON.stringify(chat({}, "stop"))}${end}`;
    const { message, text } = await askFor(sse(chat({ content: "hi" })) + last);
    expect([message.stopReason, text]).toEqual(["stop", "hi"]);
    const cut = await askFor(sse(chat({ content: "hi" })) + last.slice(0, -9));
    expect(cut.failure?.code).toBe("truncated");
  });

  it.each(["data:\n\n", "data: \n\n", "data: ping\n\n", "data: keep-alive\n\n"])(
    "sends %j to keep the connection are not disturbed",
    async (noise) => {
      const body = noise + sse(chat({ content: "hi" })) + noise + sse(chat({}, "stop")) + done;
      expect((await askFor(body)).message).toMatchObject({ stopReason: "stop", content: [{ text: "hi" }] });
    },
  );

  it("says no more after its reason to stop are whole after a moment, and the counts are waited for", async () => {
    const clock = createHandClock();
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = () => new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    const wire = testWire({ clock, fetch: async () => new Response(stream()) });
    const turns = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    const heard: Heard[] = [];
    const asking = () =>
      void ask(wire, testRecord("openai-completions", nowhere)).then((end) => heard.push(end));
    asking();
    await turns();
    body?.enqueue(Buffer.from(sse(chat({ content: '"finish_reason":"' }))));
    await turns();
    await clock.advance(10_000);
    await turns();
    expect(heard).toEqual([]);
    body?.enqueue(Buffer.from(sse(chat({}, "stop"))));
    await turns();
    await clock.advance(2900);
    await turns();
    expect(heard).toEqual([]);
    await clock.advance(200);
    await turns();
    expect(heard[0]?.message).toMatchObject({ stopReason: "stop", usage: { estimated: true } });
    asking();
    await turns();
    body?.enqueue(Buffer.from(sse(chat({ content: "hi" }, "stop"))));
    await turns();
    await clock.advance(2900);
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    body?.enqueue(Buffer.from(sse({ ...chat({}), choices: [], usage }) + done));
    await turns();
    await clock.advance(500);
    await turns();
    expect(heard[1]?.message.usage.total).toBe(7);
  });
});

describe("answers that are none", () => {
  it("MODEL-09 are known by what they say, although the status is 200", async () => {
    const poor = await askFor(
      JSON.stringify({ choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } }),
    );
    expect([poor.failure?.code, poor.message.usage.total]).toEqual(["billing", 0]);
    expect(poor.failure?.message).toContain("insufficient balance");
    const page = await askFor("\n <html><head><title>Please log in</title></head></html>");
    expect(page.failure?.message).toContain("Please log in");
    const long = await askFor(JSON.stringify({ message: "x".repeat(200_000) }));
    expect(long.failure?.message.length).toBeLessThan(1000);
  });

  it("count as asked when nothing tells what they took", async () => {
    const { failure, message } = await askFor(sse(chat({}, "stop")) + done);
    expect([failure?.code, message.usage.estimated, message.usage.input > 0]).toEqual(["empty", true, true]);
    const refused = await askFor(sse({ error: { message: "Rate limit exceeded", code: 429 } }));
    expect([refused.failure?.code, refused.message.usage.total]).toEqual(["rate_limit", 0]);
  });
});

describe("answers without an end", () => {
  it.each(["content", "reasoning_content"])("are cut where there is too much %s", async (key) => {
    const endless = Buffer.from(sse(chat({ [key]: "hello world ".repeat(5000) })));
    let cancelled = false;
    const fetch = async () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(endless),
          cancel: () => void (cancelled = true),
        }),
      );
    const { message, text, thinking } = await ask(
      testWire({ fetch }),
      testRecord("openai-completions", nowhere),
    );
    const length = (text + thinking).length;
    expect([message.stopReason, length > 8_000_000, length < 9_000_000]).toEqual(["length", true, true]);
    expect(message.usage.output).toBeGreaterThan(2_000_000);
    expect(message.content).toHaveLength(key === "content" ? 1 : 0);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(cancelled).toBe(true);
  });

  it("are not read faster than the one who listens", async () => {
    let given = 0;
    const fetch = async () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              given++;
              controller.enqueue(Buffer.from(sse(chat({ content: "hello" }))));
            },
          },
          { highWaterMark: 0 },
        ),
      );
    const events = testWire({ fetch }).stream(testRecord("openai-completions", nowhere), {}, question());
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(given).toBeLessThan(400);
    for (let count = 0; count < 600; count++) await iterator.next();
    expect(given).toBeGreaterThan(500);
    await iterator.return?.();
  });
});

describe("a key that no header can hold", () => {
  it.each([
    { apiKey: "sk-abc…def" },
    { apiKey: "sk-a\u0000b" },
    { headers: { Authorization: "Bearer ключ" } },
  ])("is a failure of the key, and nothing is sent: %j", async (auth) => {
    let asked = 0;
    const wire = testWire({
      fetch: async (...all) => {
        asked++;
        return fetchOf(Buffer.from(done))(...all);
      },
    });
    for (const api of ["openai-completions", "google-generative-ai"]) {
      const { failure, message } = await ask(wire, testRecord(api, nowhere), { auth });
      expect(failure).toMatchObject({ code: "auth", message: expect.stringContaining("character") });
      expect(message.usage.total).toBe(0);
    }
    expect(asked).toBe(0);
  });

  it("is not one that ends with a line break", async () => {
    const wire = testWire({ fetch: fetchOf(Buffer.from(sse(chat({ content: "hi" }, "stop")) + done)) });
    const { failure } = await ask(wire, testRecord("openai-completions", nowhere), {
      auth: { apiKey: "sk-abc\n" },
    });
    expect(failure).toBeUndefined();
  });
});
