import { describe, expect, it } from "vitest";
import { defaultConfig } from "../config/default-config.ts";
import { createCatalogueStage, provider } from "./catalogue/testing/catalogue-stage.ts";
import { chooseModels, wishedReference, type ModelWish } from "./choose-model.ts";
import { modelChoiceOf, type ModelChoice } from "./model-choice.ts";
import { referenceOf } from "./model-record.ts";
import { resolveReference } from "./resolve-reference.ts";

const open = async () =>
  (
    await createCatalogueStage({
      models: {
        discover: false,
        providers: {
          mine: provider({
            baseUrl: "http://127.0.0.1:9/v1",
            models: [{ id: "small" }, { id: "zeta/llama" }],
          }),
          yours: provider({ baseUrl: "http://127.0.0.1:8/v1", models: [{ id: "twin" }] }),
          theirs: provider({ baseUrl: "http://127.0.0.1:7/v1", models: [{ id: "twin" }] }),
        },
      },
    })
  ).catalogue;

async function choose({
  wish = {},
  primary,
  fallbacks = [],
  allowedProviders = [],
  allowedModels = [],
}: { wish?: ModelWish; allowedProviders?: string[]; allowedModels?: string[] } & Partial<ModelChoice>) {
  const chosen = await chooseModels({
    wish,
    choice: { primary, fallbacks },
    limits: { allowedProviders, allowedModels },
    index: await open(),
  });
  return { ...chosen, chain: chosen.chain.map(referenceOf) };
}

describe("the models of a turn", () => {
  it("MODEL-06 are the stub where nobody named one", async () => {
    expect(await choose({})).toEqual({ chain: ["stub/stub"], by: "nobody", skipped: [] });
  });

  it("MODEL-04 MODEL-06 are the configured one and its fallbacks, each once", async () => {
    const chosen = await choose({
      primary: "mine/small",
      fallbacks: ["yours/twin", "mine/small", "yours/twin"],
    });
    expect(chosen).toEqual({ chain: ["mine/small", "yours/twin"], by: "config", skipped: [] });
  });

  it("MODEL-06 are the one of a flag and no other", async () => {
    const config = { primary: "mine/small", fallbacks: ["yours/twin"] };
    expect(await choose({ ...config, wish: { model: "theirs/twin" } })).toMatchObject({
      chain: ["theirs/twin"],
      by: "flag",
    });
    expect(await choose({ ...config, wish: { provider: "theirs", model: "twin" } })).toMatchObject({
      chain: ["theirs/twin"],
    });
  });

  it("MODEL-06 are the configured model of a provider that a flag names, before its usual one", async () => {
    const wish = { provider: "anthropic" };
    expect((await choose({ wish })).chain).toEqual(["anthropic/claude-sonnet-5"]);
    expect((await choose({ wish, primary: "anthropic/claude-haiku-4-5" })).chain).toEqual([
      "anthropic/claude-haiku-4-5",
    ]);
    expect(
      (await choose({ wish, primary: "mine/small", fallbacks: ["anthropic/claude-opus-5"] })).chain,
    ).toEqual(["anthropic/claude-opus-5"]);
  });

  it("MODEL-05 are refused where the first is not allowed, with the key that says so", async () => {
    await expect(choose({ primary: "mine/small", allowedProviders: ["yours"] })).rejects.toMatchObject({
      code: "model/not-allowed",
      message: expect.stringContaining("models.allowedProviders"),
    });
    await expect(choose({ wish: { model: "mine/small" }, allowedModels: ["yours/*"] })).rejects.toMatchObject(
      {
        code: "model/not-allowed",
        hint: expect.stringContaining("models.allowedModels"),
      },
    );
  });

  it("MODEL-04 MODEL-05 leave out fallbacks that are not allowed or not known, with a word", async () => {
    const chosen = await choose({
      primary: "mine/small",
      fallbacks: ["yours/twin", "nobody/x", "mine/other"],
      allowedProviders: ["mine"],
    });
    expect(chosen.chain).toEqual(["mine/small", "mine/other"]);
    expect(chosen.skipped).toEqual([
      { reference: "yours/twin", reason: "not-allowed" },
      { reference: "nobody/x", reason: "unknown" },
    ]);
  });

  it("are what was written down, though the list is older", async () => {
    expect((await choose({ primary: "anthropic/claude-next" })).chain).toEqual(["anthropic/claude-next"]);
    await expect(choose({ wish: { model: "anthropic/claude-next" } })).rejects.toMatchObject({
      code: "model/not-found",
    });
  });

  it("are refused with what may have been meant", async () => {
    await expect(choose({ wish: { model: "anthropic/claude-sonet-5" } })).rejects.toMatchObject({
      message: "There is no model anthropic/claude-sonet-5.",
      hint: expect.stringContaining("anthropic/claude-sonnet-5"),
    });
    await expect(choose({ primary: "antropic/claude-sonnet-5" })).rejects.toMatchObject({
      hint: "Did you mean: anthropic/claude-sonnet-5?",
    });
  });
});

describe("what a name means", () => {
  const resolve = async (text: string, prefers?: (provider: string) => boolean) => {
    const resolution = await resolveReference(text, await open(), prefers);
    return resolution.found ? referenceOf(resolution.model) : resolution;
  };

  it("is one model of one provider, whose id may hold slashes", async () => {
    expect(await resolve("mine/zeta/llama")).toBe("mine/zeta/llama");
    expect(await resolve(" openrouter/anthropic/claude-sonnet-5 ")).toBe(
      "openrouter/anthropic/claude-sonnet-5",
    );
  });

  it("is the usual model of a provider", async () => {
    expect(await resolve("mine")).toBe("mine/small");
    expect(await resolve("stub")).toBe("stub/stub");
    expect(await resolve("vllm")).toMatchObject({ reason: "no-model" });
  });

  it("is a model that one provider has, or one of those that are preferred", async () => {
    expect(await resolve("small")).toBe("mine/small");
    expect(await resolve("zeta/llama")).toBe("mine/zeta/llama");
    expect(await resolve("twin")).toMatchObject({
      reason: "ambiguous",
      nearest: ["theirs/twin", "yours/twin"],
    });
    expect(await resolve("twin", (id) => id === "yours")).toBe("yours/twin");
  });

  it("is believed where the provider has no list", async () => {
    expect(await resolve("vllm/whatever")).toBe("vllm/whatever");
    expect(await resolve("mine/whatever")).toBe("mine/whatever");
  });

  it("is nothing for a slip, with the nearest first", async () => {
    expect(await resolve("groq/lama-3.3-70b-versatile")).toEqual({
      found: false,
      reason: "unknown-model",
      nearest: ["groq/llama-3.3-70b-versatile"],
    });
    expect(await resolve("anthropic/haiku")).toMatchObject({
      nearest: expect.arrayContaining(["anthropic/claude-haiku-4-5"]),
    });
    expect(await resolve("")).toMatchObject({ found: false, nearest: [] });
  });
});

describe("what is asked for", () => {
  it("CLI-05 is one word, from one flag or both", () => {
    expect(wishedReference({})).toBeUndefined();
    expect(wishedReference({ provider: "local" })).toBe("local");
    expect(wishedReference({ model: "local/script" })).toBe("local/script");
    expect(wishedReference({ provider: "local", model: "script" })).toBe("local/script");
    expect(wishedReference({ provider: "local", model: "local/script" })).toBe("local/script");
  });

  it("MODEL-06 is the agent's own choice over that of all agents", () => {
    const agents = {
      ...defaultConfig.agents,
      list: [
        { id: "plain" },
        { id: "short", model: "a/b" },
        { id: "long", model: { primary: "c/d", fallbacks: [] } },
        { id: "half", model: { fallbacks: ["e/f"] } },
      ],
    };
    agents.defaults = { ...agents.defaults, model: { primary: "x/y", fallbacks: ["z/z"] } };
    expect(modelChoiceOf(agents, "nobody")).toEqual({ primary: "x/y", fallbacks: ["z/z"] });
    expect(modelChoiceOf(agents, "plain")).toEqual({ primary: "x/y", fallbacks: ["z/z"] });
    expect(modelChoiceOf(agents, "short")).toEqual({ primary: "a/b", fallbacks: ["z/z"] });
    expect(modelChoiceOf(agents, "long")).toEqual({ primary: "c/d", fallbacks: [] });
    expect(modelChoiceOf(agents, "half")).toEqual({ primary: "x/y", fallbacks: ["e/f"] });
  });
});
