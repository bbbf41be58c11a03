import type { Message, ToolDescription } from "@pincer/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, callsOf, testRecord, testWire } from "../wire/testing/ask-wire.ts";
import { createReplayServer, recorded, type ReplayServer } from "../wire/testing/replay-server.ts";

let server: ReplayServer;
beforeAll(async () => {
  server = await createReplayServer();
});
afterEach(() => {
  server.requests.splice(0);
  vi.unstubAllEnvs();
});
afterAll(() => server.close());

const completions = () => testRecord("openai-completions", server.url);

const readTool: ToolDescription = {
  name: "read",
  description: "Reads a file.",
  parameters: {
    type: "object",
    required: ["path"],
    properties: { path: { type: "string" }, limit: { type: "number" } },
  },
};

const sentBody = (): Record<string, unknown> => JSON.parse(server.requests.at(-1)?.body ?? "{}");
describe("what goes out", () => {
  const history: Message[] = [
    { role: "user", content: [{ type: "text", text: "look" }] },
    {
      role: "assistant",
      provider: "tested",
      model: "model-1",
      api: "anthropic-messages",
      usage: { input: 190_000, output: 1, cacheRead: 0, cacheWrite: 0, total: 190_001, cost: 0 },
      stopReason: "toolUse",
      content: [
        { type: "thinking", thinking: "hm", signature: "sig-1" },
        { type: "thinking", thinking: "", signature: "hidden-2", redacted: true },
        { type: "text", text: "I look." },
        { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a" } },
        { type: "toolCall", id: "toolu_2", name: "read", arguments: { guess: 1 }, invalidArguments: "{bro" },
      ],
    },
    {
      role: "toolResult",
      toolCallId: "toolu_1",
      toolName: "read",
      content: [{ type: "text", text: "found" }],
      isError: false,
      details: { secret: "not for the model" },
    },
    {
      role: "toolResult",
      toolCallId: "toolu_2",
      toolName: "read",
      content: [{ type: "text", text: "invalid_args" }],
      isError: true,
    },
    { role: "user", content: [{ type: "text", text: "and?" }] },
  ];

  it("TOOL-20 describes tools to Anthropic as {name, description, input_schema}", async () => {
    server.play({ body: await recorded("anthropic-messages", "text") });
    await ask(
      testWire({ settings: { cacheRetention: "none" } }),
      testRecord("anthropic-messages", server.url),
      {
        tools: [readTool],
      },
    );
    expect(sentBody()["tools"]).toEqual([
      {
        name: "read",
        description: "Reads a file.",
        input_schema: {
          type: "object",
          properties: { path: { type: "string" }, limit: { type: "number" } },
          required: ["path"],
        },
        eager_input_streaming: true,
      },
    ]);
  });

  it("MODEL-03 turns tool results into user turns for Anthropic, and gives its signatures back", async () => {
    server.play({ body: await recorded("anthropic-messages", "text") });
    const record = testRecord("anthropic-messages", server.url, { reasoning: true });
    await ask(testWire({ settings: { cacheRetention: "none" } }), record, {
      messages: history,
      tools: [readTool],
    });
    const [, assistant, results] = sentBody()["messages"] as Array<{ role: string; content: object[] }>;
    expect(assistant).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "sig-1" },
        { type: "redacted_thinking", data: "hidden-2" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
        { type: "tool_use", id: "toolu_2", name: "read", input: {} },
      ],
    });
    expect(results).toMatchObject({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "found", is_error: false },
        { type: "tool_result", tool_use_id: "toolu_2", content: "invalid_args", is_error: true },
      ],
    });
    expect(server.requests.at(-1)?.body).not.toContain("not for the model");
  });

  it("leaves the answer its room, whatever earlier answers took", async () => {
    server.play({ body: await recorded("anthropic-messages", "text") });
    const record = testRecord("anthropic-messages", server.url);
    await ask(testWire(), record, { messages: history });
    expect(sentBody()["max_tokens"]).toBe(4096);
    await ask(testWire(), record, { messages: history, maxTokens: 100 });
    expect(sentBody()["max_tokens"]).toBe(100);
    await ask(testWire(), { ...record, contextWindow: 10 });
    expect(sentBody()["max_tokens"]).toBe(1024);
  });

  it.each([
    { wished: 500, max: 500, thinking: { type: "disabled" } },
    { wished: 2090, max: 2090, thinking: { type: "disabled" } },
    { wished: 2100, max: 2100, thinking: { type: "enabled", budget_tokens: 1076 } },
    { wished: 10_000, max: 10_000, thinking: { type: "enabled", budget_tokens: 8976 } },
    { wished: undefined, max: 64_000, thinking: { type: "enabled", budget_tokens: 16_384 } },
  ])("keeps thinking within the room of the answer: $wished", async ({ wished, max, thinking }) => {
    server.play({ body: await recorded("anthropic-messages", "text") });
    const record = testRecord("anthropic-messages", server.url, { reasoning: true, maxTokens: 64_000 });
    await ask(testWire(), record, {
      thinking: "high",
      ...(wished === undefined ? {} : { maxTokens: wished }),
    });
    expect(sentBody()).toMatchObject({ max_tokens: max, thinking });
  });

  it("keeps thinking within the window, and within the room in the format of Google", async () => {
    server.play({ body: await recorded("anthropic-messages", "text") });
    const record = testRecord("anthropic-messages", server.url, { reasoning: true, maxTokens: 64_000 });
    const long: Message = { role: "user", content: [{ type: "text", text: "x".repeat(4 * 190_000) }] };
    await ask(testWire(), record, { thinking: "high", messages: [long] });
    const { max_tokens: most } = sentBody() as { max_tokens: number };
    expect(most + 190_000).toBeLessThanOrEqual(200_000);
    server.play({ body: await recorded("google-generative-ai", "text") });
    const google = testRecord("google-generative-ai", server.url, {
      reasoning: true,
      id: "gemini-2.5-pro",
      maxTokens: 65_536,
    });
    await ask(testWire(), google, { thinking: "high", maxTokens: 20_000 });
    expect(sentBody()["generationConfig"]).toMatchObject({
      maxOutputTokens: 20_000,
      thinkingConfig: { thinkingBudget: 16_384 },
    });
    await ask(testWire(), google, { thinking: "high" });
    expect(sentBody()["generationConfig"]).toMatchObject({ thinkingConfig: { thinkingBudget: 32_768 } });
  });

  it("is the same byte for byte for equal requests, in whatever order a schema was written", async () => {
    server.play({ body: await recorded("openai-completions", "text") });
    const { type, required, properties } = readTool.parameters as Record<string, unknown>;
    const other = { ...readTool, parameters: { properties, type, required } };
    await ask(testWire(), completions(), { tools: [readTool], messages: history });
    await ask(testWire(), completions(), { tools: [other], messages: structuredClone(history) });
    const [first, second] = server.requests;
    expect(first?.body).toBe(second?.body);
  });

  it("shows images to models that see, and a note where one is gone or cannot be seen", async () => {
    server.play({ body: await recorded("openai-completions", "text") });
    const image = (media: string) => ({ type: "image", media, mimeType: "image/png" }) as const;
    const messages: Message[] = [
      { role: "user", content: [image("m1"), image("gone"), { type: "text", text: "?" }] },
    ];
    const wire = testWire({ images: { m1: Buffer.from("pixels") } });
    await ask(wire, { ...completions(), input: ["text", "image"] }, { messages });
    expect(sentBody()["messages"]).toContainEqual({
      role: "user",
      content: [
        {
          type: "image_url",
          image_url: { url: `data:image/png;base64,${Buffer.from("pixels").toString("base64")}` },
        },
        { type: "text", text: "(an image that is no longer there)" },
        { type: "text", text: "?" },
      ],
    });
    await ask(wire, completions(), { messages });
    expect(server.requests.at(-1)?.body).toContain("cannot see");
  });

  it.each(["openai-codex-responses", "azure-openai-responses"])("MODEL-01 speaks %s as well", async (api) => {
    server.play({ body: await recorded("openai-responses", "parallel") });
    const claims = { "https://api.openai.com/auth": { chatgpt_account_id: "account-1" } };
    const apiKey = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;
    const { message } = await ask(testWire(), testRecord(api, server.url), { auth: { apiKey } });
    expect(callsOf(message).map(({ arguments: given }) => given)).toEqual([{ path: "a.md" }, { path: "." }]);
  });

  it("MODEL-01 puts a credential's account into the address that has a place for it", async () => {
    server.play({ body: await recorded("openai-completions", "text") });
    const record = testRecord("openai-completions", `${server.url}/{CLOUDFLARE_ACCOUNT_ID}/v1`);
    await ask(testWire(), record, { auth: { apiKey: "k", settings: { CLOUDFLARE_ACCOUNT_ID: "a1" } } });
    expect(server.requests[0]?.url).toBe("/a1/v1/chat/completions");
  });

  it("asks for thinking only where it is wished for and there is any", async () => {
    server.play({ body: await recorded("openai-completions", "text") });
    const record = { ...completions(), reasoning: true };
    await ask(testWire(), record, { thinking: "low" });
    expect(sentBody()["reasoning_effort"]).toBe("low");
    await ask(testWire(), record, { thinking: "off" });
    await ask(testWire(), completions(), { thinking: "high" });
    for (const { body } of server.requests.slice(1)) expect(body).not.toContain('"low"');
    expect(sentBody()["reasoning_effort"]).toBeUndefined();
  });

  it("marks where the cache may begin, and names the cache, unless it is off", async () => {
    server.play({ body: await recorded("anthropic-messages", "text") });
    const record = testRecord("anthropic-messages", server.url);
    await ask(testWire(), record, { tools: [readTool], cacheKey: "s1" });
    expect(server.requests.at(-1)?.body).toContain('"cache_control":{"type":"ephemeral"}');
    await ask(testWire({ settings: { cacheRetention: "none" } }), record, {
      tools: [readTool],
      cacheKey: "s1",
    });
    expect(server.requests.at(-1)?.body).not.toContain("cache_control");
    server.play({ body: await recorded("openai-responses", "text") });
    await ask(testWire(), testRecord("openai-responses", server.url), { cacheKey: "s1" });
    expect(sentBody()["prompt_cache_key"]).toBe("s1");
  });

  it("takes the credential's headers and address, and says little about the machine", async () => {
    server.play({ body: await recorded("openai-completions", "text") });
    const auth = {
      headers: { Authorization: "Bearer own", "x-account": "a1" },
      baseUrl: `${server.url}/own`,
    };
    await ask(testWire(), testRecord("openai-completions", "http://127.0.0.1:1"), { auth });
    const { url, headers } = server.requests[0] ?? { url: "", headers: {} };
    expect(url).toBe("/own/chat/completions");
    expect(headers).toMatchObject({ authorization: "Bearer own", "x-account": "a1", "user-agent": "pincer" });
    expect(Object.keys(headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  it.each([
    "openai-completions",
    "openai-responses",
    "azure-openai-responses",
    "anthropic-messages",
    "google-generative-ai",
    "google-vertex",
    "bedrock-converse-stream",
    "mistral-conversations",
    "pi-messages",
  ])("takes nothing from the environment in the format %s", async (api) => {
    const canary = "canary-of-the-operator";
    for (const name of [
      "OPENAI_API_KEY",
      "OPENAI_ADMIN_KEY",
      "OPENAI_ORG_ID",
      "OPENAI_PROJECT_ID",
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_OAUTH_TOKEN",
      "GEMINI_API_KEY",
      "MISTRAL_API_KEY",
      "AZURE_OPENAI_API_KEY",
      "AZURE_OPENAI_API_VERSION",
      "AZURE_OPENAI_RESOURCE_NAME",
      "PI_CACHE_RETENTION",
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "AWS_BEARER_TOKEN_BEDROCK",
    ])
      vi.stubEnv(name, canary);
    for (const name of [
      "OPENAI_BASE_URL",
      "ANTHROPIC_BASE_URL",
      "AZURE_OPENAI_BASE_URL",
      "GOOGLE_GEMINI_BASE_URL",
    ])
      vi.stubEnv(name, `http://127.0.0.1:1/${canary}`);
    const headers = `x-operator: ${canary}\nAuthorization: Bearer ${canary}\nx-api-key: ${canary}`;
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", headers);
    vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", headers);
    const refusal = { error: { code: 401, status: "UNAUTHENTICATED", message: "no" } };
    server.play({
      status: 401,
      body: JSON.stringify(refusal),
      headers: { "content-type": "application/json" },
    });
    const settings = { AWS_REGION: "us-east-1", AWS_BEDROCK_FORCE_HTTP1: "1" };
    for (const key of [{}, { apiKey: "key-of-a-tenant" }]) {
      const auth = { ...key, settings };
      const { failure } = await ask(testWire(), testRecord(api, server.url), { auth });
      expect(failure?.code).toBe("auth");
    }
    const [without, withKey] = server.requests;
    expect(JSON.stringify(without)).not.toContain(canary);
    expect(JSON.stringify(withKey)).not.toContain(canary);
    expect(JSON.stringify(withKey)).toContain("key-of-a-tenant");
    expect(server.requests).toHaveLength(2);
  });
});
