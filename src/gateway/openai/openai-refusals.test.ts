/** What is refused, and how it is said. */
import { defineTool, type Model } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import OpenAI from "openai";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { guest, openOpenAiStage } from "../../app/testing/openai-stage.ts";

const talker = () => createScriptedModel([{ text: "Hello!" }]);

interface Refusal {
  status: number;
  error: { message: string; type: string; param: string | null; code: string };
  headers: Headers;
}

async function post(
  { baseURL }: { baseURL: string },
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Refusal> {
  const answer = await fetch(`${baseURL}${path}`, {
    method: "POST",
    headers: { authorization: "Bearer owner", "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const { error } = (await answer.json()) as Pick<Refusal, "error">;
  return { status: answer.status, error, headers: answer.headers };
}

const chat = (change: object = {}) => ({
  model: "pincer",
  messages: [{ role: "user", content: "Hi" }],
  ...change,
});

const said = (...messages: object[]) => chat({ messages });

const tool = (name: string) => ({ type: "function", function: { name } });

const bad: Array<[what: string, body: unknown, param: string]> = [
  ["no model", { messages: [] }, "body"],
  ["no messages", chat({ messages: [] }), "messages"],
  ["more than one answer", chat({ n: 2 }), "n"],
  ["probabilities", chat({ logprobs: true }), "logprobs"],
  ["biases", chat({ logit_bias: { "5": 1 } }), "logit_bias"],
  ["sound", chat({ modalities: ["text", "audio"] }), "modalities"],
  ["functions of the old kind", chat({ functions: [] }), "functions"],
  ["a role that is not known", said({ role: "function", content: "x" }), "messages.0.role"],
  ["a user message without content", said({ role: "user" }), "messages.0.content"],
  ["a result without its call's id", said({ role: "tool", content: "x" }), "messages.0.tool_call_id"],
  [
    "a result of a call that is not there",
    said({ role: "tool", tool_call_id: "c", content: "x" }),
    "messages.0",
  ],
  ["an answer at the end", said({ role: "assistant", content: "x" }), "messages"],
  [
    "sound in a message",
    said({ role: "user", content: [{ type: "input_audio" }] }),
    "messages.0.content.0.type",
  ],
  [
    "an address of a picture",
    said({ role: "user", content: [{ type: "image_url", image_url: { url: "http://127.0.0.1/p.png" } }] }),
    "messages.0.content.0.image_url.url",
  ],
  [
    "a picture that is none",
    said({
      role: "user",
      content: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGVsbG8=" } }],
    }),
    "messages.0.content.0.image_url.url",
  ],
  [
    "a page as a picture",
    said({
      role: "user",
      content: [{ type: "image_url", image_url: { url: "data:text/html;base64,aGVsbG8=" } }],
    }),
    "messages.0.content.0.image_url.url",
  ],
  ["a tool of another kind", chat({ tools: [{ type: "custom" }] }), "tools.0.type"],
  ["a tool with an odd name", chat({ tools: [tool("rm -rf")] }), "tools.0.function.name"],
  ["a tool twice", chat({ tools: [tool("a"), tool("a")] }), "tools.1.function.name"],
  [
    "a choice of a tool that is not there",
    chat({ tool_choice: { type: "function", function: { name: "a" } } }),
    "tool_choice",
  ],
  ["a choice that is not known", chat({ tool_choice: { type: "allowed_tools" } }), "tool_choice"],
  ["a format that is not known", chat({ response_format: { type: "yaml" } }), "response_format"],
  ["an effort that is not known", chat({ reasoning_effort: "utmost" }), "reasoning_effort"],
  [
    "instructions without an end",
    said({ role: "system", content: "x".repeat(200_001) }, { role: "user", content: "Hi" }),
    "messages",
  ],
];

const badResponses: Array<[what: string, body: unknown, param: string]> = [
  ["no input", { model: "pincer" }, "body"],
  ["work in the background", { model: "pincer", input: "x", background: true }, "background"],
  ["a conversation of OpenAI's", { model: "pincer", input: "x", conversation: "c" }, "conversation"],
  ["a reference to an item", { model: "pincer", input: [{ type: "item_reference" }] }, "input.0.type"],
  ["a tool of OpenAI's", { model: "pincer", input: "x", tools: [{ type: "web_search" }] }, "tools.0.type"],
  [
    "an output of a call that is not there",
    { model: "pincer", input: [{ type: "function_call_output", call_id: "c", output: "x" }] },
    "input.0",
  ],
  [
    "an address of a picture",
    {
      model: "pincer",
      input: [{ role: "user", content: [{ type: "input_image", image_url: "https://a.example/p.png" }] }],
    },
    "input.0.content.0.image_url",
  ],
];

describe("a request that cannot be answered", () => {
  it("PROTO-05 is refused with the name of what is wrong", async () => {
    const model = talker();
    const stage = await openOpenAiStage({ models: [model] });
    for (const [what, body, param] of bad) {
      const { status, error } = await post(stage, "/chat/completions", body);
      expect({ what, status, param: error.param, type: error.type }).toEqual({
        what,
        status: 400,
        param,
        type: "invalid_request_error",
      });
    }
    for (const [what, body, param] of badResponses) {
      const { status, error } = await post(stage, "/responses", body);
      expect({ what, status, param: error.param }).toEqual({ what, status: 400, param });
    }
    expect(model.requests).toEqual([]);
    expect(await stage.stores.turns.list({ limit: 9 })).toEqual([]);
  });

  it("PROTO-05 is refused by its form, its size and its type", async () => {
    const stage = await openOpenAiStage({ models: [talker()], bodyBytes: 10_000 });
    const bodies: Array<[body: string, headers: Record<string, string>, status: number, code: string]> = [
      ["{", {}, 400, "invalid_json"],
      ["x".repeat(20_000), {}, 413, "request_too_large"],
      ["hello", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    ];
    for (const [body, headers, status, code] of bodies) {
      const told = await post(stage, "/chat/completions", body, headers);
      expect([told.status, told.error.code]).toEqual([status, code]);
    }
  });

  it("PROTO-05 names a model that is not there, or not theirs, with 404", async () => {
    const confined = guest("eve", { scope: { type: "agent", agentIds: ["helper"] } });
    const stage = await openOpenAiStage({ models: [talker()], callers: { eve: confined } });
    const asked: Array<[model: string, key: string, status: number]> = [
      ["gpt-9", "owner", 404],
      ["nobody/none", "owner", 404],
      ["pincer/stranger", "owner", 404],
      ["pincer", "eve", 404],
      ["pincer/main", "eve", 404],
      ["pincer/helper", "eve", 200],
    ];
    for (const [model, key, status] of asked) {
      const told = await post(stage, "/chat/completions", chat({ model }), {
        authorization: `Bearer ${key}`,
      });
      expect([model, told.status, told.error?.code]).toEqual([
        model,
        status,
        status === 404 ? "model_not_found" : undefined,
      ]);
    }
    const listed = await fetch(`${stage.baseURL}/models`, { headers: { authorization: "Bearer eve" } });
    expect(((await listed.json()) as { data: unknown[] }).data).toMatchObject([{ id: "pincer/helper" }]);
  });

  it("PROTO-05 is refused to callers who are not signed in, and to those without the permission", async () => {
    const stage = await openOpenAiStage({
      models: [talker()],
      callers: { vera: guest("vera", { role: "viewer" }) },
    });
    const nobody = await post(stage, "/chat/completions", chat(), { authorization: "Bearer wrong" });
    expect([nobody.status, nobody.error.code, nobody.error.type]).toEqual([
      401,
      "invalid_api_key",
      "authentication_error",
    ]);
    const viewer = await post(stage, "/chat/completions", chat(), { authorization: "Bearer vera" });
    expect([viewer.status, viewer.error.type]).toEqual([403, "permission_error"]);
  });

  it("refuses a tool that has the name of one of ours, and says which", async () => {
    const own = defineTool({
      name: "count",
      description: "Counts.",
      effect: "read",
      input: Type.Object({}),
      run: async () => ({ text: "three" }),
    });
    const stage = await openOpenAiStage({ models: [talker()], tools: [own] });
    const { status, error } = await post(stage, "/chat/completions", chat({ tools: [tool("count")] }));
    expect(status).toBe(400);
    expect(error.message).toContain("count");
  });

  it("refuses a name that only single requests have", async () => {
    const stage = await openOpenAiStage({ models: [talker()] });
    const { status, error } = await post(stage, "/chat/completions", chat({ user: "http-once.x" }));
    expect([status, error.code]).toEqual([400, "invalid_value"]);
  });

  it("PROTO-05 answers 429 and says when to come again where a session is full", async () => {
    const stage = await openOpenAiStage({
      models: [talker()],
      wrapStores: (stores) => ({
        ...stores,
        turns: {
          ...stores.turns,
          enqueue: (request) => stores.turns.enqueue({ ...request, cap: 0 }),
        },
      }),
    });
    const { status, headers, error } = await post(stage, "/chat/completions", chat());
    expect([status, headers.get("retry-after"), error.code]).toEqual([429, "5", "rate_limit_exceeded"]);
  });
});

describe("a run that fails", () => {
  it("PROTO-05 is answered with 503 and what the model said, also where a stream was asked for", async () => {
    const stage = await openOpenAiStage({ models: [createScriptedModel([{ error: "the cable is cut" }])] });
    for (const stream of [false, true]) {
      const { status, error, headers } = await post(stage, "/chat/completions", chat({ stream }));
      expect([status, error.type]).toEqual([503, "server_error"]);
      // What tools did before it failed must not be done again by a client that tries again by itself.
      expect(headers.get("x-should-retry")).toBe("false");
      expect(error.message).toContain("the cable is cut");
    }
    expect(stage.faults).toEqual([]);
  });

  it("PROTO-05 tells a guest no more of it than a chat would", async () => {
    const failing = createScriptedModel([{ error: "the cable is cut" }]);
    const stage = await openOpenAiStage({ models: [failing], callers: { eve: guest("eve") } });
    const headers = { authorization: "Bearer eve" };
    const { status, error } = await post(stage, "/chat/completions", chat(), headers);
    expect(status).toBe(503);
    expect(error.message).not.toBe("");
    expect(error.message).not.toContain("cable");
  });

  it("PROTO-05 tells what to do where no model is connected", async () => {
    const stage = await openOpenAiStage({
      models: [],
      config: { agents: { defaults: { model: { primary: "openai/gpt-5" } } } },
    });
    const { status, error } = await post(stage, "/chat/completions", chat());
    expect(status).toBe(503);
    expect(error.message).toContain("pincer auth");
  });

  it("PROTO-05 is told in the stream where that has begun", async () => {
    const stage = await openOpenAiStage({ models: [breaking("Half of ", "the cable is cut")] });
    const client = new OpenAI({ baseURL: stage.baseURL, apiKey: "owner", maxRetries: 0 });
    const told: string[] = [];
    const reading = async () => {
      const stream = await client.chat.completions.create({
        model: "pincer",
        messages: [{ role: "user", content: "Hi" }],
        stream: true,
      });
      for await (const { choices } of stream) told.push(choices[0]?.delta.content ?? "");
    };
    await expect(reading()).rejects.toThrow("the cable is cut");
    expect(told).toEqual(["", "Half of "]);

    const events = await client.responses.create({ model: "pincer", input: "Hi", stream: true });
    const last = (await Array.fromAsync(events)).at(-1);
    expect(last).toMatchObject({ type: "response.failed", response: { status: "failed" } });
  });
});

/** Says something, and then fails. */
const breaking = (text: string, errorMessage: string): Model => ({
  provider: "scripted",
  id: "breaking",
  async *stream() {
    yield { type: "text-delta", text };
    yield {
      type: "end",
      message: {
        role: "assistant",
        content: [{ type: "text", text }],
        provider: "scripted",
        model: "breaking",
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
        stopReason: "error",
        errorMessage,
      },
    };
  },
});
