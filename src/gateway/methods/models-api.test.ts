import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import {
  createCatalogueStage,
  provider,
  type FakeNetwork,
} from "../../models/catalogue/testing/catalogue-stage.ts";
import type { CredentialCandidate } from "../../models/credentials/credentials.ts";
import type { ModelDirectory } from "../../agent/models/model-services.ts";
import { createModelsApi } from "./models-api.ts";

interface Stage {
  models?: Partial<Config["models"]>;
  model?: { primary?: string; fallbacks: string[] };
  agents?: Config["agents"]["list"];
  credentials?: Record<string, Array<Partial<CredentialCandidate>>>;
  network?: FakeNetwork;
  test?: ModelDirectory["test"];
}

async function open({
  models = {},
  model = { fallbacks: [] },
  agents: list = [],
  credentials = {},
  network = {},
  test,
}: Stage = {}) {
  const { catalogue } = await createCatalogueStage({ models, network });
  const base = defaultConfig;
  const config: Config = {
    ...base,
    models: { ...base.models, ...models },
    agents: { ...base.agents, list, defaults: { ...base.agents.defaults, model } },
  };
  return createModelsApi({
    config: () => config,
    defaultAgentId: "main",
    room: async () => ({
      catalogue,
      credentialsFor: async (id) =>
        (credentials[id] ?? []).map((each) => ({ id: `${id}-key`, provider: id, ...each })),
      test: test ?? (() => Promise.reject(new Error("nobody is asked here"))),
    }),
  });
}

const mine = { mine: provider({ baseUrl: "http://127.0.0.1:9/v1", models: [{ id: "small" }] }) };

describe("the models API", () => {
  it("MODEL-01 lists what can be used now: a credential, a server found here, a server of the config", async () => {
    const api = await open({
      models: { providers: mine },
      credentials: { groq: [{}] },
      network: { "http://127.0.0.1:11434/api/tags": { models: [{ name: "llama3.2" }] } },
    });
    const { models, unconnected } = await api.list({});
    const providers = new Set(models.map((each) => each.provider));
    expect([...providers].toSorted()).toEqual(["groq", "mine", "ollama"]);
    expect(models.every(({ usable }) => usable)).toBe(true);
    expect(unconnected).toBeGreaterThan(30);
  });

  it("lists everything, or one provider, when asked to, and marks what cannot be used", async () => {
    const api = await open({ models: { providers: mine } });
    const { models } = await api.list({ all: true });
    expect(models.length).toBeGreaterThan(1000);
    const { models: some } = await api.list({ provider: "anthropic", search: "opus 5" });
    expect(some.map(({ reference }) => reference)).toContain("anthropic/claude-opus-5");
    expect(some.every(({ usable }) => !usable)).toBe(true);
  });

  it("lists what the config names although no list has it, and says which server could be asked for its list", async () => {
    const bare = provider({ baseUrl: "http://127.0.0.1:9/v1" });
    const api = await open({
      models: { providers: { bare, ...mine } },
      model: { primary: "bare/qwen", fallbacks: ["mine/small", "anthropic/claude-next"] },
      agents: [{ id: "helper", model: "bare/other" }],
    });
    const { models, unasked } = await api.list({});
    expect(models.map(({ reference, assumed, unlisted }) => [reference, assumed, unlisted])).toEqual([
      ["mine/small", true, false],
      ["bare/qwen", true, true],
      ["bare/other", true, true],
    ]);
    expect(unasked).toEqual(["bare"]);
    expect((await api.list({ search: "qwe" })).models).toMatchObject([{ reference: "bare/qwen" }]);
    expect((await api.list({ provider: "mine" })).models).toMatchObject([{ reference: "mine/small" }]);
    expect((await api.list({ provider: "mine" })).unasked).toEqual([]);
  });

  it("asks for no agent that nobody knows", async () => {
    const api = await open({ agents: [{ id: "helper" }], model: { primary: "stub/stub", fallbacks: [] } });
    const refusal = { code: "config/not-found", hint: "Known agents: main, helper." };
    await expect(api.status({ agentId: "nosuch" })).rejects.toMatchObject(refusal);
    await expect(api.test({ agentId: "nosuch" })).rejects.toMatchObject(refusal);
    expect(await api.status({ agentId: "helper" })).toMatchObject({ agentId: "helper" });
  });

  it("finds the latest where a model of a local server is named without its tag", async () => {
    const api = await open({
      network: { "http://127.0.0.1:11434/api/tags": { models: [{ name: "llama3.2:latest" }] } },
    });
    expect(await api.resolve({ reference: "ollama/llama3.2" })).toMatchObject({
      found: true,
      model: { reference: "ollama/llama3.2:latest" },
    });
    expect(await api.resolve({ reference: "ollama/llama3" })).toMatchObject({ found: false });
  });

  it("tells no header and no key of a provider", async () => {
    const own = provider({
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "sk-1",
      headers: { "x-key": "sk-2" },
      models: [{ id: "a" }],
    });
    const api = await open({ models: { providers: { own } } });
    expect(JSON.stringify([await api.list({ provider: "own" }), await api.providers({})])).not.toContain(
      "sk-",
    );
  });

  it("MODEL-06 says who answers, and why not another", async () => {
    const until = Date.UTC(2026, 0, 2);
    const api = await open({
      models: { providers: mine, allowedProviders: ["groq", "openai", "mine"] },
      model: {
        primary: "groq/llama-3.3-70b-versatile",
        fallbacks: ["openai/gpt-5.5", "xai/grok-4.5", "nobody/x", "mine/small"],
      },
      credentials: { groq: [{ cooldownUntil: until, reason: "quota" }], mine: [{ id: "none" }] },
    });
    const status = await api.status({});
    expect(status.models.map(({ role, state }) => [role, state])).toEqual([
      ["primary", "set-aside"],
      ["fallback", "no-credential"],
      ["fallback", "not-allowed"],
      ["fallback", "unknown"],
      ["fallback", "ready"],
    ]);
    expect(status.models[0]?.credentials).toEqual([
      { id: "groq-key", setAsideUntil: "2026-01-02T00:00:00.000Z", reason: "quota" },
    ]);
    expect(status.answers).toBe("mine/small");
  });

  it("MODEL-05 says that nobody answers where the first is not allowed, whatever comes after", async () => {
    const api = await open({
      models: { providers: mine, allowedProviders: ["mine"] },
      model: { primary: "openai/gpt-5.5", fallbacks: ["mine/small"] },
      credentials: { mine: [{}] },
    });
    expect(await api.status({})).toMatchObject({
      answers: null,
      models: [{ state: "not-allowed" }, { state: "ready" }],
    });
  });

  it("says that the stub answers where nothing is configured", async () => {
    expect(await (await open()).status({})).toMatchObject({ models: [], answers: "stub/stub" });
  });

  it("resolves a name among those that can be used first, and says what is not allowed", async () => {
    const api = await open({ models: { allowedModels: ["groq/*"] }, credentials: { groq: [{}] } });
    expect(await api.resolve({ reference: "groq" })).toMatchObject({
      found: true,
      notAllowedBy: null,
      model: { usable: true },
    });
    expect(await api.resolve({ reference: "openai" })).toMatchObject({
      found: true,
      notAllowedBy: "models.allowedModels",
      model: { usable: false },
    });
    expect(await api.resolve({ reference: "groc/x" })).toMatchObject({ found: false, nearest: ["groq/x"] });
  });

  it("tries out the one that answers, or the one that is named", async () => {
    const asked: string[] = [];
    const api = await open({
      models: { providers: mine },
      model: { primary: "mine/small", fallbacks: [] },
      agents: [{ id: "helper" }],
      async test(reference, agentId) {
        asked.push(`${reference} ${agentId}`);
        return { ok: true, latencyMs: 5, model: reference, text: "ok", usage: null, failure: null };
      },
    });
    expect(await api.test({})).toMatchObject({ reference: "mine/small", ok: true });
    await api.test({ reference: "groq" });
    await api.test({ reference: "openai/brand-new", agentId: "helper" });
    expect(asked).toEqual([
      "mine/small main",
      "groq/llama-3.3-70b-versatile main",
      "openai/brand-new helper",
    ]);
  });

  it("says so where there is nothing to try out", async () => {
    await expect((await open()).test({})).rejects.toMatchObject({ code: "model/not-connected" });
  });

  it("refreshes one provider", async () => {
    const api = await open({
      network: { "https://api.groq.com/openai/v1/models": { data: [{ id: "new" }] } },
    });
    expect(await api.refresh({ provider: "groq" })).toMatchObject({ ok: true, added: ["new"] });
  });
});
