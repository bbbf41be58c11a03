/** What holds for every wire format, on recorded streams over real connections. */
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, fetchOf, question, testRecord, testWire, type Heard } from "./testing/ask-wire.ts";
import { createReplayServer, recorded, type ReplayServer } from "./testing/replay-server.ts";

interface Format {
  api: string;
  /** What the id of a call looks like. */
  toolId: RegExp;
  thinkingSignature: string | undefined;
  /** Bodies of refusals as the vendor writes them. */
  refusals: Record<401 | 402 | 429 | 500 | 529, string>;
  /** A whole answer without anything in it. */
  empty: string;
}

const openaiRefusals: Format["refusals"] = {
  401: '{"error":{"message":"Incorrect API key provided: key-of-****test. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
  402: '{"error":{"message":"Insufficient credits","code":402}}',
  429: '{"error":{"message":"Rate limit reached for requests","type":"requests","param":null,"code":"rate_limit_exceeded"}}',
  500: '{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}',
  529: '{"error":{"message":"The model is overloaded","type":"overloaded"}}',
};
const anthropicRefusal = (type: string, message: string): string =>
  JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
const googleRefusal = (code: number, status: string, message: string, details: object[] = []): string =>
  JSON.stringify({ error: { code, message, status, details } });

const formats: Format[] = [
  {
    api: "openai-completions",
    toolId: /^call_9fA$/,
    thinkingSignature: "reasoning_content",
    refusals: openaiRefusals,
    empty:
      'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\ndata: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  },
  {
    api: "openai-responses",
    toolId: /^call_9fA\|fc_1$/,
    thinkingSignature:
      '{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Six times seven."}],"encrypted_content":"gAAAAsig=="}',
    refusals: openaiRefusals,
    empty:
      'event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":5,"output_tokens":0,"total_tokens":5}}}\n\n',
  },
  {
    api: "anthropic-messages",
    toolId: /^toolu_01A$/,
    thinkingSignature: "EqQBsig==",
    refusals: {
      401: anthropicRefusal("authentication_error", "invalid x-api-key"),
      402: anthropicRefusal("billing_error", "Your account needs payment."),
      429: anthropicRefusal("rate_limit_error", "This request would exceed your organization's rate limit"),
      500: anthropicRefusal("api_error", "Internal server error"),
      529: anthropicRefusal("overloaded_error", "Overloaded"),
    },
    empty:
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":5,"output_tokens":0}}}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":0}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
  },
  {
    api: "google-generative-ai",
    toolId: /^read_/,
    thinkingSignature: undefined,
    refusals: {
      401: googleRefusal(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
      402: googleRefusal(402, "FAILED_PRECONDITION", "Payment required"),
      429: googleRefusal(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing details.",
        [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
      ),
      500: googleRefusal(500, "INTERNAL", "An internal error has occurred."),
      529: googleRefusal(529, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    },
    empty:
      'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":5,"totalTokenCount":5}}\r\n\r\n',
  },
  {
    api: "mistral-conversations",
    toolId: /^D681PevKs$/,
    thinkingSignature: undefined,
    refusals: {
      401: '{"message":"Unauthorized","request_id":"1"}',
      402: '{"message":"You have no credits left","request_id":"1"}',
      429: '{"object":"error","message":"Requests rate limit exceeded","type":"rate_limited","param":null,"code":"1300"}',
      500: '{"object":"error","message":"Internal Server Error","type":"internal_server_error","code":"3000"}',
      529: '{"message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded"}',
    },
    empty:
      'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  },
];

const hello = "Hello, wörld! 你好 👋";
let server: ReplayServer;
beforeAll(async () => {
  server = await createReplayServer();
});
afterEach(() => server.requests.splice(0));
afterAll(() => server.close());

describe.each(formats)(
  "the wire in the format $api",
  ({ api, toolId, thinkingSignature, refusals, empty }) => {
    const wire = testWire();
    const record = () => testRecord(api, server.url);
    const play = async (name: string, more: object = {}): Promise<Heard> => {
      server.play({ body: await recorded(api, name), ...more });
      return ask(wire, record());
    };

    it("MODEL-01 STREAM-09 MODEL-08 streams text, and says what it took", async () => {
      const { events, text, message, failure } = await play("text");
      expect(failure).toBeUndefined();
      expect(text).toBe(hello);
      expect(events[0]).toEqual({ type: "begun" });
      expect(message).toMatchObject({
        role: "assistant",
        provider: "tested",
        model: "model-1",
        api,
        content: [{ type: "text", text: hello }],
        stopReason: "stop",
        usage: { input: 25, output: 9, cacheRead: 0, cacheWrite: 0, total: 34 },
      });
      expect(message.usage.cost).toBeCloseTo((25 * 2 + 9 * 10) / 1e6, 12);
      expect(message.usage.estimated).toBeUndefined();
    });

    it("MODEL-03 delivers a tool call with its arguments", async () => {
      const { events, message } = await play("tool");
      const call = message.content.at(-1);
      expect(message.stopReason).toBe("toolUse");
      expect(message.content[0]).toMatchObject({ type: "text", text: "Let me look." });
      expect(call).toMatchObject({
        type: "toolCall",
        id: expect.stringMatching(toolId),
        name: "read",
        arguments: { path: "notes/to ü do.md", limit: 20 },
      });
      expect(call).not.toHaveProperty("invalidArguments");
      expect(events.filter((event) => event.type === "tool-call")).toEqual([{ type: "tool-call", call }]);
    });

    it("keeps parallel calls apart however their pieces are mixed", async () => {
      const { message } = await play("parallel");
      const calls = message.content.filter((block) => block.type === "toolCall");
      expect(calls.map(({ name, arguments: given }) => [name, given])).toEqual([
        ["read", { path: "a.md" }],
        ["list", { path: "." }],
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    });

    it("tells thoughts from words, keeps their signature, and shows cache hits", async () => {
      const { message, text, thinking } = await play("thinking");
      expect([thinking, text]).toEqual(["Six times seven.", "42."]);
      expect(message.content[0]).toEqual({
        type: "thinking",
        thinking: "Six times seven.",
        ...(thinkingSignature === undefined ? {} : { signature: thinkingSignature }),
      });
      const { input, cacheRead, output } = message.usage;
      expect([input, cacheRead, output]).toEqual([api === "anthropic-messages" ? 60 : 76, 1024, 12]);
    });

    it("reads the same when the bytes come one by one", async () => {
      const whole = await play("tool");
      const dripped = await play("tool", { pieceBytes: 7 });
      expect(withoutIds(dripped)).toEqual(withoutIds(whole));
    });

    it("ends at once when it is aborted, and keeps what was said", async () => {
      const body = await recorded(api, "text");
      server.play({
        body: body.slice(0, body.indexOf(", wörld")).replace(/data:[^\n]*$/, ""),
        afterwards: "stall",
      });
      const abort = new AbortController();
      const events = wire.stream(record(), { apiKey: "k" }, question({ signal: abort.signal }));
      const iterator = events[Symbol.asyncIterator]();
      for (;;) {
        const { value, done } = await iterator.next();
        if (done || value.type === "text-delta") break;
      }
      abort.abort();
      const soon = new Promise((resolve) => setImmediate(resolve, "late"));
      const end = await Promise.race([iterator.next(), soon]);
      expect(end).toMatchObject({
        done: false,
        value: {
          type: "end",
          message: {
            stopReason: "aborted",
            content: [{ type: "text", text: "Hello" }],
            usage: { estimated: true },
          },
        },
      });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    });

    it("is over before it begins when the signal was aborted already", async () => {
      const { message } = await ask(wire, record(), { signal: AbortSignal.abort() });
      expect([message.stopReason, message.content, message.usage.total]).toEqual(["aborted", [], 0]);
      expect(server.requests).toEqual([]);
    });

    it("tells a stream that broke off from one that ended, and drops half a call", async () => {
      const text = await recorded(api, "text");
      const half = Buffer.from(text).subarray(0, Buffer.byteLength(text.slice(0, text.indexOf("! 你"))));
      for (const afterwards of ["end", "reset"] as const) {
        server.play({ body: half, afterwards });
        const { message, failure } = await ask(wire, record());
        expect(failure?.code).toBe("truncated");
        expect(message).toMatchObject({
          stopReason: "error",
          errorCode: "truncated",
          usage: { estimated: true },
        });
        expect(message.content).toEqual([{ type: "text", text: "Hello, wörld" }]);
      }
      const tool = await recorded(api, "tool");
      server.play({ body: tool.slice(0, tool.indexOf('"read"') + 20) });
      const { message } = await ask(wire, record());
      expect(message.content).toEqual([{ type: "text", text: "Let me look." }]);
    });

    it("says so when the stream is garbled", async () => {
      const text = await recorded(api, "text");
      const at = text.lastIndexOf("data:", text.indexOf("! 你"));
      server.play({ body: `${text.slice(0, at)}data: {"broken: \n\n${text.slice(at)}` });
      const { message, failure } = await ask(wire, record());
      expect(failure?.code).toBe("truncated");
      expect(message.content).toEqual([{ type: "text", text: "Hello, wörld" }]);
    });

    it("calls an answer without anything in it empty", async () => {
      server.play({ body: empty });
      const { failure, message } = await ask(wire, record());
      expect([failure?.code, message.errorCode, message.content]).toEqual(["empty", "empty", []]);
    });

    it.each([
      [401, "auth"],
      [402, "billing"],
      [429, "rate_limit"],
      [500, "unavailable"],
      [529, "overloaded"],
    ] as const)("AUTH-08 MODEL-09 makes of a %i the failure %s", async (status, code) => {
      server.play({ status, body: refusals[status], headers: { "content-type": "application/json" } });
      const { failure, message, events } = await ask(wire, record());
      expect(failure).toMatchObject({ code, status });
      expect(message).toMatchObject({
        stopReason: "error",
        errorCode: code,
        errorMessage: failure?.message,
        usage: { total: 0 },
      });
      expect(events).toHaveLength(1);
      expect(server.requests).toHaveLength(1);
      expect(JSON.stringify(message)).not.toContain("key-of-the-test");
    });

    it("AUTH-08 hears how long a provider wants to be left alone", async () => {
      server.play({
        status: 429,
        body: refusals[429],
        headers: { "content-type": "application/json", "retry-after": "7" },
      });
      expect((await ask(wire, record())).failure).toMatchObject({ code: "rate_limit", retryAfterMs: 7000 });
    });

    it("says so when nobody listens", async () => {
      const { failure } = await ask(wire, testRecord(api, "http://127.0.0.1:1"));
      expect(failure?.code).toBe("unavailable");
    });

    it("reads the same however the bytes are cut", { timeout: 60_000 }, async () => {
      for (const name of ["tool", "parallel", "thinking"]) {
        const bytes = Buffer.from(await recorded(api, name));
        const whole = withoutIds(await play(name));
        const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 });
        await fc.assert(
          fc.asyncProperty(cuts, async (at) => {
            const points = [0, ...at.sort((left, right) => left - right), bytes.length];
            const pieces = points.slice(1).map((end, index) => bytes.subarray(points[index], end));
            const cutWire = testWire({ fetch: fetchOf(...pieces) });
            expect(withoutIds(await ask(cutWire, record()))).toEqual(whole);
          }),
          { numRuns: 60 },
        );
      }
    });
  },
);

it.each(formats)(
  "the wire in the format $api does not wait for a server that never closes after its last event",
  async ({ api }) => {
    const clock = createHandClock();
    server.play({ body: await recorded(api, "text"), afterwards: "stall" });
    const heard: Heard[] = [];
    const asking = ask(testWire({ clock }), testRecord(api, server.url)).then((end) => heard.push(end));
    while (heard.length === 0) {
      await clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await asking;
    expect(heard[0]?.message).toMatchObject({ stopReason: "stop", content: [{ text: hello }] });
  },
);

it.each(formats)("the wire in the format $api sends no key where there is none", async ({ api }) => {
  server.play({ body: await recorded(api, "text") });
  await ask(testWire(), testRecord(api, server.url), { auth: {} });
  const { headers } = server.requests[0] ?? { headers: {} };
  expect(Object.entries(headers).filter(([name]) => /authorization|api-key/.test(name))).toEqual([]);
  // If somebody has chosen such a key, it is sent.
  await ask(testWire(), testRecord(api, server.url), { auth: { apiKey: "none" } });
  expect(JSON.stringify(server.requests[1]?.headers)).toMatch(/"(?:Bearer )?none"/);
});

it.each(formats)(
  "the wire in the format $api takes its key nowhere else, and prints nothing",
  async ({ api }) => {
    const other = await createReplayServer();
    const printed = silenced.map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
    server.play({ status: 307, body: "", headers: { location: `${other.url}/elsewhere` } });
    const { failure } = await ask(testWire(), testRecord(api, server.url));
    expect([failure?.code, server.requests.length, other.requests]).toEqual(["unavailable", 1, []]);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    await other.close();
  },
);
const silenced = ["debug", "error", "info", "log", "warn"] as const;

it.each(formats)("the wire in the format $api counts what broke off before a word", async ({ api }) => {
  server.play({ body: ": on it\n\n", afterwards: "reset" });
  const { message, failure } = await ask(testWire(), testRecord(api, server.url));
  expect([failure?.code, message.usage.estimated, message.usage.input > 0]).toEqual([
    "truncated",
    true,
    true,
  ]);
  const { message: unsent } = await ask(testWire(), testRecord(api, "http://127.0.0.1:1"));
  expect(unsent.usage.total).toBe(0);
});

/** Google gives no ids; those made for it differ from time to time. */
const withoutIds = ({ message, text, thinking, failure }: Heard): object => ({
  message: {
    ...message,
    content: message.content.map((block) => (block.type === "toolCall" ? { ...block, id: "" } : block)),
  },
  text,
  thinking,
  failure,
});
