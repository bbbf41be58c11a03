import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { ModelRecord } from "../model-record.ts";
import { builtInProviders } from "../pi/built-in-catalogue.ts";
import { createCatalogueStage, provider, silence } from "./testing/catalogue-stage.ts";
import { wireFormats } from "../../config/schema/models.ts";
import { apis } from "../pi/load-api.ts";

const ollamaTags = "http://127.0.0.1:11434/api/tags";
const lmStudioModels = "http://127.0.0.1:1234/v1/models";

describe("the catalogue", () => {
  it("MODEL-01 knows every provider that the product names", async () => {
    const { catalogue } = await createCatalogueStage();
    const ids = (await catalogue.providers()).map(({ id }) => id);
    const named = ["anthropic", "openai", "google", "github-copilot", "groq", "deepgram", "openrouter"];
    expect(ids).toEqual(expect.arrayContaining([...named, "openai-codex", "ollama", "lmstudio", "stub"]));
  });

  it("MODEL-01 has models of the right shape for each that is built in, and the usual one among them", async () => {
    const { catalogue } = await createCatalogueStage({ models: { discover: false } });
    const faults: string[] = [];
    for (const { id, first } of builtInProviders) {
      const models = await catalogue.list({ provider: id });
      if (models.length === 0) faults.push(`${id} has no models`);
      const ids = models.map((model) => (Check(ModelRecord, model) ? "" : (model as ModelRecord).id));
      faults.push(...ids.filter(Boolean).map((model) => `${id}/${model} is misshapen`));
      const usual = await catalogue.firstOf(id);
      if (!usual || usual.unlisted || (first && usual.id !== first)) faults.push(`${id} has no usual model`);
    }
    expect(faults).toEqual([]);
  });

  it("MODEL-01 offers no model of a provider that only hears", async () => {
    const { catalogue } = await createCatalogueStage();
    const views = await catalogue.providers();
    expect(views.find(({ id }) => id === "deepgram")).toMatchObject({ serves: "speech" });
    expect(await catalogue.list({ provider: "deepgram" })).toEqual([]);
    expect(await catalogue.find("deepgram/nova-3")).toBeUndefined();
  });

  it("finds a model whose id holds slashes, and nothing for what is no reference", async () => {
    const { catalogue } = await createCatalogueStage();
    const [model] = await catalogue.list({ provider: "openrouter", search: "claude sonnet" });
    expect(model?.id).toContain("/");
    expect(await catalogue.find(`openrouter/${model?.id}`)).toEqual(model);
    const texts = ["", "/", "anthropic", "anthropic/", "/x", "nobody/x"];
    const found = await Promise.all(texts.map((text) => catalogue.find(text)));
    expect(found.filter((model) => model !== undefined)).toEqual([]);
  });

  it("keeps the stub, which asks nobody", async () => {
    const { catalogue, asked } = await createCatalogueStage();
    expect(await catalogue.find("stub/stub")).toMatchObject({ provider: "stub", api: "stub", baseUrl: "" });
    expect(await catalogue.find("stub/other")).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("MODEL-02 takes any server from its address and the model's id alone", async () => {
    const baseUrl = "http://127.0.0.1:9999/v1";
    const { catalogue } = await createCatalogueStage({
      models: { providers: { mine: provider({ baseUrl }) } },
    });
    expect(await catalogue.find("mine/some/model")).toMatchObject({
      provider: "mine",
      id: "some/model",
      api: "openai-completions",
      baseUrl,
      contextWindow: 32_768,
      maxTokens: 4096,
      input: ["text"],
      assumed: true,
      unlisted: true,
    });
  });

  it("takes what the config says of a model, and says what it assumed", async () => {
    const own = provider({
      baseUrl: "http://127.0.0.1:9999/v1",
      api: "anthropic-messages",
      headers: { "x-team": "secret:team" },
      models: [
        { id: "small" },
        { id: "big", contextWindow: 2000, reasoning: true, input: ["text", "image"] },
      ],
    });
    const { catalogue } = await createCatalogueStage({ models: { providers: { mine: own } } });
    const [big, small] = await catalogue.list({ provider: "mine" });
    expect(small).toMatchObject({ id: "small", assumed: true, source: "config", api: "anthropic-messages" });
    expect(big).toMatchObject({
      contextWindow: 2000,
      maxTokens: 2000,
      reasoning: true,
      input: ["text", "image"],
    });
    expect(big?.assumed).toBeUndefined();
    expect(big?.headers).toBeUndefined();
    expect((await catalogue.find("mine/big"))?.headers).toEqual({ "x-team": "value of secret:team" });
    expect((await catalogue.find("mine/new"))?.headers).toEqual({ "x-team": "value of secret:team" });
  });

  it("lays the config over a provider that is built in, and keeps what it does not say", async () => {
    const plain = await createCatalogueStage();
    const known = await plain.catalogue.find("groq/llama-3.3-70b-versatile");
    const own = provider({
      baseUrl: "https://proxy.example/v1",
      models: [{ id: "llama-3.3-70b-versatile", maxTokens: 100 }],
    });
    const { catalogue } = await createCatalogueStage({ models: { providers: { groq: own } } });
    expect(await catalogue.find("groq/llama-3.3-70b-versatile")).toEqual({
      ...known,
      baseUrl: "https://proxy.example/v1",
      maxTokens: 100,
      source: "config",
    });
    expect(await catalogue.find("groq/openai/gpt-oss-20b")).toMatchObject({
      baseUrl: "https://proxy.example/v1",
    });
    expect(await catalogue.firstOf("groq")).toMatchObject({ id: "llama-3.3-70b-versatile" });
  });

  it("goes by the config as it is now", async () => {
    const { catalogue, configure } = await createCatalogueStage();
    expect(await catalogue.find("mine/a")).toBeUndefined();
    configure({ providers: { mine: provider({ baseUrl: "http://127.0.0.1:1/v1" }) } });
    expect(await catalogue.find("mine/a")).toBeDefined();
  });

  it("takes a model that is newer than the list, in the manner of its provider", async () => {
    const { catalogue } = await createCatalogueStage();
    expect(await catalogue.find("anthropic/claude-next")).toMatchObject({
      api: "anthropic-messages",
      baseUrl: "https://api.anthropic.com",
      unlisted: true,
    });
  });

  it("MODEL-05 says of which models nobody knows the price, where money is taken for them", async () => {
    const own = provider({
      baseUrl: "https://models.example/v1",
      models: [{ id: "told", cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }, { id: "untold" }],
    });
    const near = provider({ baseUrl: "http://192.168.1.7:8000/v1" });
    const { catalogue } = await createCatalogueStage({ models: { providers: { far: own, near } } });
    const isUnpriced = async (reference: string) => (await catalogue.find(reference))?.unpriced === true;
    expect(await isUnpriced("anthropic/claude-next")).toBe(true);
    expect(await isUnpriced("deepinfra/some/model")).toBe(true);
    expect(await isUnpriced("far/untold")).toBe(true);
    expect(await isUnpriced("far/unlisted")).toBe(true);
    expect(await isUnpriced("far/told")).toBe(false);
    expect(await isUnpriced("near/any")).toBe(false);
    expect(await isUnpriced("ollama/any")).toBe(false);
    expect(await isUnpriced("groq/llama-3.3-70b-versatile")).toBe(false);
  });

  it("is not fooled by providers that are named like parts of an object", async () => {
    const { catalogue } = await createCatalogueStage();
    expect(await catalogue.find("constructor/x")).toBeUndefined();
    expect(await catalogue.find("__proto__/x")).toBeUndefined();
  });
});

describe("servers on this machine", () => {
  const network = {
    [ollamaTags]: { models: [{ name: "llama3.2:latest" }, { name: "nomic-embed-text:latest" }] },
    [lmStudioModels]: { data: [{ id: "qwen3-8b" }] },
  };

  it("MODEL-02 are found where they usually are, by one request each", async () => {
    const { catalogue, asked } = await createCatalogueStage({ network });
    expect(await catalogue.list({ provider: "ollama" })).toMatchObject([
      { id: "llama3.2:latest", baseUrl: "http://127.0.0.1:11434/v1", source: "local", assumed: true },
    ]);
    expect(await catalogue.list({ provider: "lmstudio" })).toMatchObject([{ id: "qwen3-8b" }]);
    expect(asked.map(({ url }) => url)).toEqual([ollamaTags, lmStudioModels]);
    const local = (await catalogue.providers()).filter((each) => each.local).map(({ id }) => id);
    expect(local).toEqual(["lmstudio", "ollama"]);
  });

  it("are believed for half a minute", async () => {
    const { catalogue, asked, clock } = await createCatalogueStage({ network });
    await catalogue.providers();
    clock.advance(29_999);
    await catalogue.providers();
    expect(asked).toHaveLength(2);
    clock.advance(1);
    await catalogue.providers();
    expect(asked).toHaveLength(4);
  });

  it("are not waited for longer than 300 ms", async () => {
    const { catalogue, clock } = await createCatalogueStage({
      network: { ...network, [ollamaTags]: silence },
    });
    const listing = catalogue.list({ provider: "ollama" });
    await new Promise(setImmediate);
    clock.advance(300);
    expect(await listing).toEqual([]);
    expect(await catalogue.list({ provider: "lmstudio" })).toHaveLength(1);
  });

  it("are not queried by callers that want something else, or were told not to look", async () => {
    const { catalogue, asked, configure } = await createCatalogueStage({ network });
    await catalogue.find("ollama/llama3.2");
    await catalogue.list({ provider: "anthropic" });
    await catalogue.firstOf("openai");
    configure({ discover: false });
    await catalogue.list({});
    await catalogue.providers();
    expect(asked).toEqual([]);
  });

  it("are not looked for where the config has another address", async () => {
    const own = provider({ baseUrl: "http://10.0.0.2:11434/v1" });
    const { catalogue } = await createCatalogueStage({ network, models: { providers: { ollama: own } } });
    expect(await catalogue.list({ provider: "ollama" })).toEqual([]);
    expect(await catalogue.find("ollama/x")).toMatchObject({ baseUrl: "http://10.0.0.2:11434/v1" });
  });
});

describe("refreshing", () => {
  it("asks the provider and keeps the answer in the home, for its owner alone", async () => {
    const { catalogue, homeRoot, asked } = await createCatalogueStage({
      network: {
        "https://api.groq.com/openai/v1/models": {
          data: [
            { id: "llama-3.3-70b-versatile", context_window: 1000 },
            { id: "brand-new", context_window: 64_000, max_completion_tokens: 8000 },
            { id: "whisper-large-v3" },
          ],
        },
      },
      auth: { apiKey: "sk-groq" },
    });
    expect(await catalogue.refresh("groq")).toMatchObject({ ok: true, models: 2, added: ["brand-new"] });
    expect(asked[0]?.headers).toMatchObject({ authorization: "Bearer sk-groq" });

    const file = join(homeRoot, "models", "groq.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toContain("sk-groq");
    expect(await catalogue.find("groq/brand-new")).toMatchObject({
      contextWindow: 64_000,
      maxTokens: 8000,
      source: "refreshed",
      baseUrl: "https://api.groq.com/openai/v1",
    });
    const known = await catalogue.find("groq/llama-3.3-70b-versatile");
    expect(known).toMatchObject({ contextWindow: 1000, cost: { input: 0.59 } });
    const views = await catalogue.providers();
    expect(views.find(({ id }) => id === "groq")?.refreshedAt).toBeDefined();
  });

  it("asks each in its own manner", async () => {
    const stage = await createCatalogueStage({
      network: {
        "https://api.anthropic.com/v1/models?limit=1000": {
          data: [{ id: "claude-x", display_name: "Claude X" }],
        },
        "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000": { models: [] },
        "https://api.mistral.ai/v1/models": { data: [] },
        [ollamaTags]: { models: [{ name: "a" }] },
      },
      auth: { apiKey: "k" },
    });
    for (const id of ["anthropic", "google", "mistral", "ollama"]) {
      expect(await stage.catalogue.refresh(id)).toMatchObject({ ok: true, provider: id });
    }
    expect(stage.asked.map(({ headers }) => headers)).toMatchObject([
      { "x-api-key": "k", "anthropic-version": "2023-06-01" },
      { "x-goog-api-key": "k" },
      { authorization: "Bearer k" },
      {},
    ]);
    expect(await stage.catalogue.find("anthropic/claude-x")).toMatchObject({ name: "Claude X" });
  });

  it.each([
    ["nobody", undefined, "unknown"],
    ["amazon-bedrock", undefined, "unsupported"],
    ["cloudflare-workers-ai", undefined, "unsupported"],
    ["stub", undefined, "unsupported"],
    ["groq", undefined, "unreachable"],
    ["groq", 401, "refused"],
    ["groq", "<html>", "malformed"],
    ["groq", { hello: 1 }, "malformed"],
  ])("says why %s could not be asked (%j: %s), and changes nothing", async (id, answer, reason) => {
    const network = { "https://api.groq.com/openai/v1/models": answer };
    const { catalogue, homeRoot } = await createCatalogueStage({ network });
    expect(await catalogue.refresh(id)).toMatchObject({ ok: false, reason });
    await expect(stat(join(homeRoot, "models"))).rejects.toThrow("ENOENT");
  });

  it("ends when the caller aborts", async () => {
    const network = { "https://api.groq.com/openai/v1/models": silence };
    const { catalogue } = await createCatalogueStage({ network });
    const stop = new AbortController();
    const refreshing = catalogue.refresh("groq", stop.signal);
    await new Promise(setImmediate);
    stop.abort(new Error("enough"));
    await expect(refreshing).rejects.toThrow("enough");
  });

  it.each([
    '{"provider":"groq"',
    '{"provider":"groq","refreshedAt":"x","models":[{}]}',
    '{"provider":"xai"}',
  ])("leaves a broken list aside and says so once: %s", async (text) => {
    const { catalogue, homeRoot, broken } = await createCatalogueStage();
    const file = join(homeRoot, "models", "groq.json");
    await mkdir(join(homeRoot, "models"));
    await writeFile(file, text);
    await chmod(file, 0o600);
    expect(await catalogue.find("groq/llama-3.3-70b-versatile")).toMatchObject({ source: "built-in" });
    await catalogue.list({ provider: "groq" });
    expect(broken).toEqual([file]);
  });

  it("reads and writes no file for a name that leads elsewhere", async () => {
    const evil = provider({ baseUrl: "http://127.0.0.1:1/v1" });
    const { catalogue, homeRoot } = await createCatalogueStage({
      models: { providers: { "../evil": evil } },
      network: { "http://127.0.0.1:1/v1/models": { data: [{ id: "a" }] } },
    });
    await catalogue.refresh("../evil");
    await expect(stat(join(homeRoot, "evil.json"))).rejects.toThrow("ENOENT");
  });
});

it("lets the config name exactly the formats that are spoken", () => {
  expect(wireFormats.toSorted()).toEqual(apis.toSorted());
});
