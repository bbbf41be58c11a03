import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { loadApi } from "../pi/load-api.ts";
import { toPiContext } from "../pi/pi-context.ts";
import { toPiModel } from "../pi/pi-request.ts";
import { argumentFormats } from "./argument-formats.ts";
import { createArgumentBuffer } from "./argument-buffer.ts";
import { liftArguments } from "./lift-arguments.ts";
import { ask, fetchOf, question, testRecord, testWire } from "./testing/ask-wire.ts";
import { recorded } from "./testing/replay-server.ts";

const maxArgumentsBytes = 2_000_000;

function formatOf(api: string) {
  const format = argumentFormats[api];
  if (!format) throw new Error(`no format ${api}`);
  return format;
}

async function lift(api: string, ...pieces: Uint8Array[]): Promise<Buffer> {
  const shelf = createArgumentBuffer(maxArgumentsBytes);
  const { body } = await fetchOf(...pieces)("");
  const lifted = liftArguments(body ?? new ReadableStream(), {
    format: formatOf(api),
    shelf,
    maxArgumentsBytes,
    clock: systemClock,
  });
  return Buffer.concat(await Array.fromAsync(lifted));
}

/** What the library reads by itself: text, and the raw arguments of each call in order. */
async function readByLibrary(api: string, bytes: Buffer): Promise<{ text: string; calls: string[] }> {
  const record = testRecord(api, "http://127.0.0.1:1/v1");
  const stream = await loadApi(api);
  const context = await toPiContext({ record, request: question(), readMedia: async () => undefined });
  const calls = new Map<number, string>();
  let text = "";
  if (!stream) throw new Error(`no format ${api}`);
  for await (const event of stream(toPiModel(record, {}, question()), context, {
    apiKey: "k",
    fetch: fetchOf(bytes),
  })) {
    if (event.type === "text_delta") text += event.delta;
    if (event.type === "toolcall_delta")
      calls.set(event.contentIndex, (calls.get(event.contentIndex) ?? "") + event.delta);
  }
  return { text, calls: [...calls.keys()].sort((a, b) => a - b).map((index) => calls.get(index) ?? "") };
}

type Step =
  | { type: "text"; text: string }
  | { type: "piece"; call: number; text: string }
  | { type: "noise" };

const piece = fc.string({ unit: "grapheme", maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: piece }),
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("piece" as const), call: fc.nat({ max: 2 }), text: piece }),
  },
  fc.constant({ type: "noise" } as const),
);

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function chatStream(steps: Step[]): string {
  const seen = new Set<number>();
  const events = steps.map((one) => {
    if (one.type === "noise") return ": still here\n\n";
    if (one.type === "text") return chunk({ content: one.text });
    const head = seen.has(one.call) ? {} : { id: `call_${one.call}`, type: "function" };
    const name = seen.has(one.call) ? {} : { name: `tool_${one.call}` };
    seen.add(one.call);
    return chunk({ tool_calls: [{ index: one.call, ...head, function: { ...name, arguments: one.text } }] });
  });
  return `${events.join("")}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
}

function anthropicStream(steps: Step[]): string {
  const event = (type: string, rest: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const begun = new Set<number>();
  const events = steps.map((one) => {
    if (one.type === "noise") return event("ping", {});
    const index = one.type === "text" ? 0 : one.call + 1;
    const block =
      one.type === "text"
        ? { type: "text", text: "" }
        : { type: "tool_use", id: `t_${index}`, name: "t", input: {} };
    const delta =
      one.type === "text"
        ? { type: "text_delta", text: one.text }
        : { type: "input_json_delta", partial_json: one.text };
    const start = begun.has(index) ? "" : event("content_block_start", { index, content_block: block });
    begun.add(index);
    return start + event("content_block_delta", { index, delta });
  });
  const stops = [...begun].map((index) => event("content_block_stop", { index })).join("");
  const message = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const end = event("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } });
  return event("message_start", { message }) + events.join("") + stops + end + event("message_stop", {});
}

function responsesStream(steps: Step[]): string {
  let number = 0;
  const event = (type: string, rest: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...rest })}\n\n`;
  const said = new Map<number, string>();
  const itemOf = (index: number): object =>
    index === 0
      ? {
          id: "msg",
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: said.get(0) }],
        }
      : {
          id: `fc_${index}`,
          type: "function_call",
          call_id: `c_${index}`,
          name: "t",
          arguments: said.get(index),
        };
  const events = steps.map((one) => {
    if (one.type === "noise") return event("response.in_progress", { response: {} });
    const index = one.type === "text" ? 0 : one.call + 1;
    const isNew = !said.has(index);
    if (isNew) said.set(index, "");
    const start = isNew
      ? event("response.output_item.added", { output_index: index, item: itemOf(index) })
      : "";
    said.set(index, `${said.get(index)}${one.text}`);
    const type = index === 0 ? "response.output_text.delta" : "response.function_call_arguments.delta";
    return (
      start + event(type, { output_index: index, delta: one.text, obfuscation: "aBc1".slice(number % 4) })
    );
  });
  const ends = [...said.keys()].map((index) =>
    event("response.output_item.done", { output_index: index, item: itemOf(index) }),
  );
  const response = { id: "r", status: "completed", output: [...said.keys()].map(itemOf) };
  return events.join("") + ends.join("") + event("response.completed", { response });
}

const streams = [
  ["openai-completions", chatStream],
  ["mistral-conversations", chatStream],
  ["anthropic-messages", anthropicStream],
  ["openai-responses", responsesStream],
] as const;

describe("arguments lifted out of a stream", () => {
  it.each(streams)(
    "of %s are those that the library would have read, however the bytes are cut",
    { timeout: 60_000 },
    async (api, streamOf) => {
      const scenario = fc.record({
        steps: fc.array(step, { minLength: 1, maxLength: 25 }),
        cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        hasCarriageReturns: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(scenario, async ({ steps, cuts, hasCarriageReturns }) => {
          const written = streamOf(steps);
          const bytes = Buffer.from(hasCarriageReturns ? written.replaceAll("\n", "\r\n") : written);
          const points = [
            0,
            ...cuts.map((at) => Math.floor(at * bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ];
          const pieces = points.slice(1).map((end, index) => bytes.subarray(points[index], end));
          const expected = await readByLibrary(api, bytes);
          const { message, text } = await ask(
            testWire({ fetch: fetchOf(...pieces) }),
            testRecord(api, "http://127.0.0.1:1"),
          );
          const calls = message.content.filter((block) => block.type === "toolCall");
          expect(text).toBe(expected.text);
          expect(calls.map(({ arguments: given, invalidArguments }) => invalidArguments ?? given)).toEqual(
            expected.calls.map((raw) => (raw.trim() === "" ? {} : parsedOr(raw))),
          );
        }),
        { numRuns: 80 },
      );
    },
  );

  it.each(Object.keys(argumentFormats).filter((api) => !/codex|azure|vertex/.test(api)))(
    "leave everything else of %s as it was, byte for byte",
    async (api) => {
      for (const name of ["text", "thinking"]) {
        const bytes = Buffer.from(await recorded(api, name));
        for (const size of [1, 7, bytes.length]) {
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size),
          );
          expect((await lift(api, ...pieces)).equals(bytes)).toBe(true);
        }
      }
    },
  );

  it("pass on at once what is not theirs, and what cannot be read as it is", async () => {
    const odd =
      'event: odd\nid: 7\ndata: {"arguments"\ndata: broken\n\n: a comment\n\ndata:\n\nretry: 10\n\nthe rest';
    expect((await lift("mistral-conversations", Buffer.from(odd))).toString()).toBe(odd);
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    const source = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    const shelf = createArgumentBuffer(100);
    const reader = liftArguments(source, {
      format: formatOf("openai-completions"),
      shelf,
      maxArgumentsBytes: 100,
      clock: systemClock,
    }).getReader();
    const event = Buffer.from(chunk({ content: "now" }));
    body?.enqueue(event);
    expect(Buffer.from((await reader.read()).value ?? []).equals(event)).toBe(true);
    await reader.cancel();
  });

  it.each(streams.slice(0, 3))(
    "of %s hand the library next to nothing, however long they are",
    async (api, streamOf) => {
      const handed = async (bytes: number) => (await lift(api, longCall(streamOf, bytes))).length;
      const [short, long] = [await handed(100_000), await handed(400_000)];
      expect(long).toBe(short);
      expect(long).toBeLessThan(2000);
    },
  );

  it.each(streams)(
    "of %s cost what they are long: 400 KB in pieces of 4 characters over the whole wire",
    { timeout: 60_000 },
    async (api, streamOf) => {
      const bytes = longCall(streamOf, 400_000);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, at) =>
        bytes.subarray(at * 16_384, (at + 1) * 16_384),
      );
      const wire = testWire({ fetch: fetchOf(...pieces) });
      // The library is loaded and compiled by then.
      await ask(
        testWire({ fetch: fetchOf(longCall(streamOf, 100)) }),
        testRecord(api, "http://127.0.0.1:1/v1"),
      );
      const before = process.cpuUsage();
      const { message } = await ask(wire, testRecord(api, "http://127.0.0.1:1/v1"));
      const { user, system } = process.cpuUsage(before);
      const [call] = message.content;
      expect(call?.type === "toolCall" && JSON.stringify(call.arguments).length).toBe(400_000);
      // It takes 80 to 150 ms; the library alone takes minutes.
      expect((user + system) / 1000).toBeLessThan(3000);
    },
  );

  it("wait for nobody where everything has come", async () => {
    const clock = createHandClock();
    const waits: number[] = [];
    const pieces = [Buffer.from(chunk({ content: "all" })), Buffer.from("data: [DONE]\n\n")];
    const reader = {
      async read() {
        waits.push(clock.sleeping());
        const value = pieces.shift();
        return value ? { done: false as const, value } : { done: true as const, value: undefined };
      },
      cancel: async () => undefined,
    };
    const parts = { format: formatOf("openai-completions"), shelf: createArgumentBuffer(100), clock };
    const read = (isComplete: boolean) =>
      Array.fromAsync(
        liftArguments(
          { getReader: () => ({ ...reader, isComplete: () => isComplete }) },
          { ...parts, maxArgumentsBytes: 100 },
        ),
      );
    const asCame = [...pieces];
    expect(Buffer.concat(await read(true)).equals(Buffer.concat(asCame))).toBe(true);
    expect(waits.splice(0)).toEqual([0, 0, 0]);
    pieces.push(...asCame);
    await read(false);
    expect(waits).toEqual([0, 0, 1]);
    expect(clock.sleeping()).toBe(0);
  });

  it("of one event without an end are not held for ever", async () => {
    const endless = Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024, "x"));
    await expect(lift("openai-completions", ...endless)).rejects.toThrow(RangeError);
  });
});

function longCall(streamOf: (steps: Step[]) => string, bytes: number): Buffer {
  const text = JSON.stringify({ content: "a".repeat(bytes - '{"content":""}'.length) });
  const steps: Step[] = [];
  for (let at = 0; at < text.length; at += 4)
    steps.push({ type: "piece", call: 0, text: text.slice(at, at + 4) });
  return Buffer.from(streamOf(steps));
}

function parsedOr(raw: string): unknown {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : raw;
  } catch {
    // Broken: expected as it came.
    return raw;
  }
}
