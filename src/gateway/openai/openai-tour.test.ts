/** The official client walks through the whole API. */
import { defineTool, textOf, type Model, type Tool } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import OpenAI from "openai";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { openOpenAiStage } from "../../app/testing/openai-stage.ts";

const clientOf = ({ baseURL }: { baseURL: string }, apiKey = "owner") =>
  new OpenAI({ baseURL, apiKey, maxRetries: 0 });

const hi = [{ role: "user" as const, content: "Hi" }];

const weather = {
  type: "function" as const,
  function: {
    name: "get_weather",
    description: "The weather in a city.",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

const count = (seen: string[]): Tool =>
  defineTool({
    name: "count",
    description: "Counts.",
    effect: "read",
    input: Type.Object({}),
    async run() {
      seen.push("count");
      return { text: "three" };
    },
  });

describe("models, with the official client", () => {
  it("PROTO-05 lists the agents and the models that are configured, and shows each of them", async () => {
    const stage = await openOpenAiStage({
      models: [createScriptedModel([{ text: "-" }])],
      config: {
        agents: {
          defaults: { model: { primary: "openai/gpt-5", fallbacks: ["local/small"] } },
          list: [{ id: "main", default: true }, { id: "helper" }],
        },
      },
    });
    const client = clientOf(stage);
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(["pincer", "pincer/main", "pincer/helper", "openai/gpt-5", "local/small"]);
    expect(await client.models.retrieve("pincer/helper")).toMatchObject({
      id: "pincer/helper",
      owned_by: "pincer",
    });
    await expect(client.models.retrieve("nobody/none")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });
});

describe("chat completions, with the official client", () => {
  it("PROTO-05 answers in one piece, under the instructions that came along", async () => {
    const model = createScriptedModel([{ text: "Hello!", usage: { input: 5, output: 2, total: 7 } }]);
    const stage = await openOpenAiStage({ models: [model] });
    const answer = await clientOf(stage).chat.completions.create({
      model: "pincer",
      messages: [{ role: "system", content: "Be brief." }, ...hi],
      temperature: 0.3,
      max_tokens: 50,
    });
    expect(answer).toMatchObject({ object: "chat.completion", model: "pincer" });
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Hello!" } });
    expect(answer.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 });
    expect(model.requests[0]?.systemPrompt).toMatch(/Be brief\.$/);
    expect(stage.faults).toEqual([]);
  });

  it("PROTO-05 streams whole words, the end and the usage", async () => {
    const model = speaking(["The ans", "wer is ", "forty-two."]);
    const stage = await openOpenAiStage({ models: [model] });
    const stream = await clientOf(stage).chat.completions.create({
      model: "pincer/helper",
      messages: hi,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const pieces = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ""));
    expect(pieces).toEqual(["", "The ", "answer is ", "forty-two.", ""]);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
  });

  it("PROTO-05 gives back calls of the caller's tools, after its own have run, and takes their results", async () => {
    const ran: string[] = [];
    const model = createScriptedModel([
      { text: "I look.", calls: [{ name: "get_weather", arguments: { city: "Bern" } }, { name: "count" }] },
      { text: "It rains." },
    ]);
    const stage = await openOpenAiStage({ models: [model], tools: [count(ran)] });
    const client = clientOf(stage);
    const asked = { model: "pincer", tools: [weather] };
    const first = await client.chat.completions.create({ ...asked, messages: hi });
    const { message, finish_reason } = first.choices[0] ?? {};
    expect(finish_reason).toBe("tool_calls");
    expect(message?.content).toBe("I look.");
    expect(message?.tool_calls).toMatchObject([
      { type: "function", function: { name: "get_weather", arguments: '{"city":"Bern"}' } },
    ]);
    expect(ran).toEqual(["count"]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("get_weather");

    const call = message?.tool_calls?.[0];
    const second = await client.chat.completions.create({
      ...asked,
      messages: [
        ...hi,
        { role: "assistant", content: null, tool_calls: call ? [call] : [] },
        { role: "tool", tool_call_id: call?.id ?? "", content: "rain" },
      ],
    });
    expect(second.choices[0]?.message.content).toBe("It rains.");
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ toolName: "get_weather", origin: "tool" });
  });

  it("PROTO-05 streams calls of the caller's tools", async () => {
    const model = createScriptedModel([{ calls: [{ name: "get_weather", arguments: { city: "Ulm" } }] }]);
    const stage = await openOpenAiStage({ models: [model] });
    const final = await clientOf(stage)
      .chat.completions.stream({ model: "pincer", messages: hi, tools: [weather] })
      .finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "get_weather", arguments: '{"city":"Ulm"}' } }] },
    });
  });

  it("PROTO-05 remembers a session that user names, and nothing where none is named", async () => {
    const model = createScriptedModel([{ text: "one" }, { text: "two" }, { text: "three" }]);
    const stage = await openOpenAiStage({ models: [model] });
    const client = clientOf(stage);
    const say = (content: string, user?: string) =>
      client.chat.completions.create({
        model: "pincer",
        messages: [{ role: "user", content }],
        ...(user === undefined ? {} : { user }),
      });
    await say("first", "ada");
    await say("second", "ada");
    await say("third");
    const asked = model.requests.map(({ messages }) => messages.map(textOf));
    expect(asked).toEqual([["first"], ["first", "one", "second"], ["third"]]);
    expect(await stage.stores.sessions.findActive("w_default", "agent:main:http:dm:ada")).toBeDefined();
  });

  it("takes only what follows the last answer in a session that goes on", async () => {
    const model = createScriptedModel([{ calls: [{ name: "get_weather" }] }, { text: "It rains." }]);
    const stage = await openOpenAiStage({ models: [model] });
    const client = clientOf(stage);
    const asked = { model: "pincer", tools: [weather], user: "ada" };
    const first = await client.chat.completions.create({ ...asked, messages: hi });
    const call = first.choices[0]?.message.tool_calls?.[0];
    await client.chat.completions.create({
      ...asked,
      messages: [
        ...hi,
        { role: "assistant", content: null, tool_calls: call ? [call] : [] },
        { role: "tool", tool_call_id: call?.id ?? "", content: "rain" },
      ],
    });
    const [, second] = model.requests;
    expect(second?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "user"]);
    expect(second?.messages.at(-1)?.content).toMatchObject([
      { origin: "tool", from: "the caller's tool get_weather" },
    ]);
  });

  it("shows a picture that is in the request", async () => {
    const model = createScriptedModel([{ text: "A dot." }]);
    const stage = await openOpenAiStage({ models: [model] });
    await clientOf(stage).chat.completions.create({
      model: "pincer",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${dot}` } },
          ],
        },
      ],
    });
    expect(model.requests[0]?.messages[0]?.content).toMatchObject([
      { type: "text", origin: "owner" },
      { type: "image", mimeType: "image/png" },
    ]);
  });
});

describe("responses, with the official client", () => {
  it("PROTO-05 answers, goes on after an earlier one, and is found again", async () => {
    const model = createScriptedModel([{ text: "Ada." }, { text: "You said Ada." }]);
    const stage = await openOpenAiStage({ models: [model] });
    const client = clientOf(stage);
    const first = await client.responses.create({
      model: "pincer",
      instructions: "Be kind.",
      input: "I am Ada.",
    });
    expect(first).toMatchObject({
      object: "response",
      status: "completed",
      output_text: "Ada.",
      error: null,
    });
    const second = await client.responses.create({
      model: "pincer",
      input: "Who am I?",
      previous_response_id: first.id,
    });
    expect(second.output_text).toBe("You said Ada.");
    expect(second.previous_response_id).toBe(first.id);
    expect(model.requests[1]?.messages.map(textOf)).toEqual(["I am Ada.", "Ada.", "Who am I?"]);
    expect(model.requests[1]?.systemPrompt).not.toContain("Be kind.");
    const again = await client.responses.retrieve(first.id);
    expect(again).toMatchObject({ id: first.id, model: "pincer", status: "completed" });
    expect(again.output).toEqual(first.output);
  });

  it("PROTO-05 streams every event in order", async () => {
    const stage = await openOpenAiStage({ models: [speaking(["Good ", "day."])] });
    const stream = await clientOf(stage).responses.create({ model: "pincer", input: "Hi", stream: true });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    expect(events.at(-1)).toMatchObject({ response: { status: "completed", usage: { output_tokens: 2 } } });
  });

  it("PROTO-05 gives back calls of the caller's functions, and takes their outputs", async () => {
    const model = createScriptedModel([
      { calls: [{ name: "get_weather", arguments: { city: "Rom" } }] },
      { text: "Sun." },
    ]);
    const stage = await openOpenAiStage({ models: [model] });
    const client = clientOf(stage);
    const tools = [{ type: "function" as const, strict: false, ...weather.function }];
    const first = await client.responses
      .stream({ model: "pincer", input: "Weather?", tools })
      .finalResponse();
    const [call] = first.output;
    expect(call).toMatchObject({ type: "function_call", name: "get_weather", arguments: '{"city":"Rom"}' });
    const callId = call?.type === "function_call" ? call.call_id : "";
    const second = await client.responses.create({
      model: "pincer",
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: callId, output: "sun" }],
    });
    expect(second.output_text).toBe("Sun.");
    expect(textOf(model.requests[1]?.messages.at(-1) ?? nothing)).toContain("sun");
  });

  it("tells the whole conversation where nothing is kept", async () => {
    const model = createScriptedModel([{ text: "Sun." }]);
    const stage = await openOpenAiStage({ models: [model] });
    await clientOf(stage).responses.create({
      model: "pincer",
      input: [
        { role: "user", content: "Weather?" },
        { type: "function_call", call_id: "c1", name: "get_weather", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output: "sun" },
      ],
    });
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  });
});

describe("embeddings, with the official client", () => {
  const embedder = {
    embed: async (texts: readonly string[]) => ({
      model: "words",
      vectors: texts.map((text) => Float32Array.of(text.length, 0.5)),
    }),
    async close() {},
  };

  it("PROTO-05 makes one vector of each text, in either encoding", async () => {
    const stage = await openOpenAiStage({ models: [createScriptedModel([{ text: "-" }])], embedder });
    const client = clientOf(stage);
    for (const encoding_format of ["float", "base64", undefined] as const) {
      const made = await client.embeddings.create({
        model: "pincer",
        input: ["one", "three"],
        ...(encoding_format && { encoding_format }),
      });
      const vectors = made.data.map(({ embedding }) => embedding as unknown);
      const plain = encoding_format === "base64" ? vectors.map((each) => floatsOf(String(each))) : vectors;
      expect(plain).toEqual([
        [3, 0.5],
        [5, 0.5],
      ]);
    }
  });

  it("says what to configure where there is no embedder", async () => {
    const stage = await openOpenAiStage({
      models: [createScriptedModel([{ text: "-" }])],
      config: { agents: { defaults: { memorySearch: { provider: "none" } } } },
    });
    await expect(clientOf(stage).embeddings.create({ model: "x", input: "y" })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("memorySearch.provider"),
    });
  });
});

/** Says these pieces one after the other. */
function speaking(pieces: string[]): Model {
  return {
    provider: "scripted",
    id: "pieces",
    async *stream() {
      for (const text of pieces) yield { type: "text-delta", text };
      yield {
        type: "end",
        message: {
          role: "assistant",
          content: [{ type: "text", text: pieces.join("") }],
          provider: "scripted",
          model: "pieces",
          usage: {
            input: 1,
            output: pieces.length,
            cacheRead: 0,
            cacheWrite: 0,
            total: 1 + pieces.length,
            cost: 0,
          },
          stopReason: "stop",
        },
      };
    },
  };
}

const nothing = { role: "user" as const, content: [] };

const floatsOf = (base64: string): number[] => {
  const bytes = Buffer.from(base64, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
};

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
