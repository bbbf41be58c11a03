/**
 * Whole turns against an independent fake of the providers' APIs, in four wire formats: what the user sees, and what is held against the
 * credential afterwards. The fake is aimock; what it cannot do (bytes cut anywhere, stalls in mid-word) the wire's own suite does.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApp, type App } from "../src/app/create-app.ts";
import type { AskAnswer } from "../src/routing/ask-turn.ts";
import { openHome } from "../src/storage/home/open-home.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";
import { formatCredentialKey } from "../src/storage/credentials/credential-key.ts";
import type { CredentialUse } from "../src/storage/credentials/credentials.ts";

const mock = new LLMock({ port: 0, chunkSize: 5 });
beforeAll(async () => void (await mock.start()));
afterAll(() => mock.stop());

let home: string;
let app: App | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-models-"));
  mock.reset();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  rmSync(home, { recursive: true });
});

const parts = () => ({
  environment: { PINCER_HOME: home },
  redactor: createRedactor(),
  say: createSay("en"),
  notify: () => {},
  cwd: home,
});

async function open(
  api: string,
  path: string,
  more: { calls?: object; models?: object; agents?: object; auth?: object } = {},
): Promise<App> {
  const config = {
    models: {
      attempts: 2,
      idleTimeoutMs: 10_000,
      ...more.calls,
      providers: {
        fake: { baseUrl: mock.url + path, api, apiKey: "sk-fake-1234567890", models: [{ id: "small" }] },
        ...more.models,
      },
    },
    agents: { defaults: { model: { primary: "fake/small" }, toolMaxSteps: 3, ...more.agents } },
    ...(more.auth ? { auth: more.auth } : {}),
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  app = await createApp(parts(), {});
  return app;
}

function ask(
  input: string,
  rest: { signal?: AbortSignal; onText?: (text: string) => void } = {},
): Promise<AskAnswer> {
  if (!app) throw new Error("nobody to ask");
  return app.ask({
    input,
    wishes: { tools: { enabled: true, allow: [] } },
    typed: true,
    signal: rest.signal ?? new AbortController().signal,
    onEvent: (event) => void (event.type === "text-delta" && rest.onText?.(event.text)),
  });
}

/** What is known of the use of the provider's key. */
async function useOf(id = "config:fake"): Promise<CredentialUse | undefined> {
  await app?.close();
  app = undefined;
  const openedHome = await openHome(parts(), {});
  try {
    return (await openedHome.stores.credentials.uses()).get(formatCredentialKey({ agentId: null, id }));
  } finally {
    await openedHome.close();
  }
}

const requests = () => mock.getRequests().length;

describe.each([
  ["openai-completions", "/v1"],
  ["openai-responses", "/v1"],
  ["anthropic-messages", ""],
  ["google-generative-ai", "/v1beta"],
])("a model that speaks %s", (api, path) => {
  it("STREAM-09 MODEL-07 answers, word by word, and says who it was", async () => {
    mock.onMessage("hello", { content: "Good morning to you, whoever you are." });
    await open(api, path);
    const pieces: string[] = [];
    const answer = await ask("hello", { onText: (text) => pieces.push(text) });
    expect(answer).toMatchObject({
      result: "Good morning to you, whoever you are.",
      stage: "done",
      route: "fake",
      provider: "fake",
      model: "small",
    });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(answer.result);
    expect(answer.usage.total).toBeGreaterThan(0);
    expect(await useOf()).toMatchObject({ errorCount: 0, cooldownUntil: null });
  });

  it("LOOP-02 LOOP-03 LOOP-06 calls a tool, reads its result and answers", async () => {
    mock.on(
      { userMessage: "echo", hasToolResult: false },
      { toolCalls: [{ name: "tools_echo", arguments: '{"text":"ho ho"}' }] },
    );
    mock.on({ userMessage: "echo", hasToolResult: true }, { content: "It said ho ho." });
    await open(api, path);
    const answer = await ask("echo, please");
    expect(answer.result).toBe("It said ho ho.");
    expect(answer.toolCalls).toMatchObject([{ name: "tools_echo", arguments: { text: "ho ho" } }]);
    expect(answer.toolResults).toMatchObject([{ ok: true, content: [{ type: "text", text: "ho ho" }] }]);
  });

  it("runs several calls of one answer, and gives each its own result", async () => {
    mock.on(
      { userMessage: "twice", hasToolResult: false },
      {
        toolCalls: [
          { name: "tools_echo", arguments: '{"text":"one"}' },
          { name: "tools_echo", arguments: '{"text":"two"}' },
        ],
      },
    );
    mock.on({ userMessage: "twice", hasToolResult: true }, { content: "One and two." });
    await open(api, path);
    const answer = await ask("twice, please");
    expect(answer.result).toBe("One and two.");
    expect(answer.toolResults.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "one" }],
      [{ type: "text", text: "two" }],
    ]);
  });

  it("LOOP-05 ends at the step limit, says so, and offers to go on", async () => {
    let count = 0;
    mock.on({ userMessage: "for ever" }, () => ({
      toolCalls: [{ name: "tools_echo", arguments: JSON.stringify({ text: `round ${++count}` }) }],
    }));
    await open(api, path);
    const answer = await ask("for ever, please");
    expect(answer.toolCalls).toHaveLength(4);
    expect(answer.toolError?.code).toBe("execution_error");
    expect(answer.result).toMatch(/3.*continue/s);
  });

  it("LOOP-07 stops at once when it is told to, and keeps what was said", async () => {
    mock.onMessage(
      "slowly",
      { content: "one two three four five six seven eight nine ten" },
      { latency: 100, chunkSize: 4 },
    );
    await open(api, path);
    const stop = new AbortController();
    const answer = await ask("slowly, please", { signal: stop.signal, onText: () => stop.abort() });
    expect(answer.error?.code).toBe("turn/aborted");
    expect(answer.result).toMatch(/^one/);
    expect(answer.usage).toMatchObject({ estimated: true });
    // Stopping it says nothing about the credential.
    expect(await useOf()).toBeUndefined();
  });

  it("gives up an answer that never begins", async () => {
    mock.onMessage("nothing", { content: "too late" }, { latency: 20_000 });
    await open(api, path, { calls: { attempts: 1, idleTimeoutMs: 300 } });
    const answer = await ask("nothing, please");
    expect(answer.error?.code).toBe("model/failed");
    expect(answer.result).toMatch(/nothing was heard for 0.3 s/);
  });

  it.each([
    {
      status: 401,
      error: { message: "Incorrect API key provided", code: "invalid_api_key", type: "authentication_error" },
      words: /credential config:fake was rejected/,
      held: 1,
    },
    {
      status: 402,
      error: { message: "Insufficient credits", type: "billing_error", code: "insufficient_credits" },
      words: /no credit or quota/,
      held: 1,
    },
    // The provider's trouble, not the credential's.
    {
      status: 500,
      error: { message: "The server had an error", type: "server_error" },
      words: /server had an error/i,
      held: 0,
    },
  ])("tells the user about a $status and what to do", async ({ status, error, words, held }) => {
    mock.onMessage("hello", { error, status });
    await open(api, path);
    const answer = await ask("hello");
    expect(answer.error?.code).toBe("model/failed");
    expect(answer.result).toMatch(words);
    expect(answer.result).not.toContain("sk-fake");
    expect(requests()).toBe(status === 500 ? 2 : 1);
    const use = await useOf();
    expect(use?.errorCount).toBe(held);
    // The only one there is: setting it aside would help nobody.
    expect(use?.cooldownUntil ?? null).toBeNull();
  });

  it("AUTH-11 sets a refused credential aside and answers with the next, now and the next time", async () => {
    mock.on(
      { userMessage: "hello", sequenceIndex: 0 },
      { error: { message: "Incorrect API key provided", type: "authentication_error" }, status: 401 },
    );
    mock.on({ userMessage: "hello" }, { content: "Here I am." });
    const profile = (key: string) => ({ provider: "fake", mode: "api_key", apiKey: key });
    await open(api, path, {
      models: { fake: { baseUrl: mock.url + path, api, models: [{ id: "small" }] } },
      auth: {
        profiles: { first: profile("sk-first-1234567890"), second: profile("sk-second-1234567890") },
        order: { fake: ["first", "second"] },
      },
    });
    expect((await ask("hello")).result).toBe("Here I am.");
    expect((await ask("hello")).result).toBe("Here I am.");
    expect(requests()).toBe(3);
    expect((await useOf("first"))?.cooldownUntil).not.toBeNull();
    expect(await useOf("second")).toMatchObject({ errorCount: 0, cooldownUntil: null });
  });

  it("waits as long as a 429 asks for, then goes on", async () => {
    mock.on(
      { userMessage: "hello", sequenceIndex: 0 },
      { error: { message: "Rate limit reached", type: "rate_limit_error" }, status: 429, retryAfter: 1 },
    );
    mock.on({ userMessage: "hello" }, { content: "Here I am." });
    await open(api, path);
    const begun = performance.now();
    expect((await ask("hello")).result).toBe("Here I am.");
    // Google's client does not show the header; there the usual pause is made.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(api === "google-generative-ai" ? 250 : 900);
    expect(await useOf()).toMatchObject({ errorCount: 0 });
  });

  it("tries again after a 500 that passes", async () => {
    mock.on(
      { userMessage: "hello", sequenceIndex: 0 },
      { error: { message: "oops", type: "server_error" }, status: 500 },
    );
    mock.on({ userMessage: "hello" }, { content: "Here I am." });
    await open(api, path);
    expect((await ask("hello")).result).toBe("Here I am.");
  });

  it("says so when an answer has nothing in it", async () => {
    mock.onMessage("hello", { content: "" });
    await open(api, path);
    const answer = await ask("hello");
    expect(answer.error?.code).toBe("model/failed");
    expect(answer.result).toMatch(/empty/);
  });

  it("goes on with another model when the connection breaks in mid-answer, and says which one answered", async () => {
    mock.on(
      { userMessage: "hello", model: "small" },
      { content: "This will not be the whole of it, I am afraid." },
      { truncateAfterChunks: 3 },
    );
    mock.on({ userMessage: "hello", model: "other" }, { content: "The other one speaking." });
    await open(api, path, {
      models: {
        spare: { baseUrl: mock.url + path, api, apiKey: "sk-spare-1234567890", models: [{ id: "other" }] },
      },
      agents: { model: { primary: "fake/small", fallbacks: ["spare/other"] } },
    });
    const answer = await ask("hello");
    expect(answer).toMatchObject({ result: "The other one speaking.", provider: "spare", model: "other" });
  });

  it("is not confused by an answer that is no answer", async () => {
    mock.onMessage("hello", { content: "never seen" }, { chaos: { malformedRate: 1 } });
    await open(api, path);
    const answer = await ask("hello");
    expect(answer.error?.code).toBe("model/failed");
  });
});
