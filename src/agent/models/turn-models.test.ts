import { PincerError, type Model } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import type { AgentInstance } from "../agents/agent-registry.ts";
import { createTurnModels } from "./turn-models.ts";

const purpose = {} as Parameters<ReturnType<typeof createTurnModels>["open"]>[2];

function stage({ given = [] as Model[], configured }: { given?: Model[]; configured?: string } = {}) {
  const asked: string[] = [];
  const models = createTurnModels({
    given,
    connected: {
      check: async (_agent, wish) => void asked.push(`check ${wish.model ?? wish.provider}`),
      async open(agent, wish) {
        asked.push(`open ${wish.model ?? agent.settings.model}`);
        return createScriptedModel([{ text: "far away" }], "connected");
      },
    },
    say: createSay("en"),
    makeCallId: () => "c",
  });
  const agent = { settings: { model: configured } } as AgentInstance;
  return { models, agent, asked };
}

describe("who answers a turn", () => {
  it("LOOP-09 is the stub where nothing is configured, and nothing is loaded for it", async () => {
    const { models, agent, asked } = stage();
    await models.check(agent, {});
    expect((await models.open(agent, {}, purpose)).provider).toBe("stub");
    expect(asked).toEqual([]);
  });

  it("CLI-05 is the one of the flag, else the configured one", async () => {
    const { models, agent, asked } = stage({ configured: "openai/gpt" });
    expect((await models.open(agent, {}, purpose)).provider).toBe("connected");
    await models.open(agent, { model: "local/small" }, purpose);
    expect((await models.open(agent, { provider: "stub" }, purpose)).provider).toBe("stub");
    expect(asked).toEqual(["open openai/gpt", "open local/small"]);
  });

  it("is the first of those that are simply there, unless another is named", async () => {
    const given = [createScriptedModel([{ text: "" }], "one"), createScriptedModel([{ text: "" }], "two")];
    const { models, agent } = stage({ given, configured: "openai/gpt" });
    expect((await models.open(agent, {}, purpose)).provider).toBe("one");
    expect((await models.open(agent, { model: "two/script" }, purpose)).provider).toBe("two");
  });

  it("CLI-06 refuses a credential where there is no model that could use it", async () => {
    const { models, agent } = stage();
    await expect(models.check(agent, { credential: "work" })).rejects.toMatchObject({
      code: "model/not-connected",
    });
  });

  it("CLI-12 lets tools be called by hand where the model is not there, and throws for anything else", async () => {
    const { agent } = stage({ configured: "nobody/knows" });
    const models = createTurnModels({
      given: [],
      connected: {
        check: async () => {},
        open: () => Promise.reject(new PincerError("model/not-found", "nobody knows it")),
      },
      say: createSay("en"),
      makeCallId: () => "c",
    });
    const model = await models.open(agent, {}, purpose);
    const ask = (text: string) =>
      Array.fromAsync(
        model.stream({
          systemPrompt: "",
          messages: [{ role: "user", content: [{ type: "text", text }] }],
          tools: [],
          signal: new AbortController().signal,
        }),
      );
    expect((await ask("tool:time_now")).map(({ type }) => type)).toEqual(["tool-call", "end"]);
    await expect(ask("hello")).rejects.toMatchObject({ code: "model/not-found" });
  });
});
