import { PincerError, type ModelErrorCode } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createSay } from "../../infra/texts.ts";
import { createCatalogueStage, provider } from "../../models/catalogue/testing/catalogue-stage.ts";
import type { ModelListAnswer } from "../../models/catalogue/ask-for-models.ts";
import type { CredentialCandidate } from "../../models/credentials/credentials.ts";
import { createCredentialTest, type CredentialTestParts } from "./test-credential.ts";

interface Stage {
  models?: Partial<Config["models"]>;
  model?: Config["agents"]["defaults"]["model"];
  agents?: Config["agents"]["list"];
  candidates?: CredentialCandidate[];
  access?: Awaited<ReturnType<CredentialTestParts["credentials"]["authOf"]>>;
  /** What its list of models answers to the credential, and to anybody. */
  list?: ModelListAnswer;
  openList?: ModelListAnswer;
  /** How the question fails. */
  fails?: ModelErrorCode;
}

const mine = { id: "work", provider: "mine" };
const http = (status: number): ModelListAnswer => ({
  ok: false,
  reason: "refused",
  detail: `HTTP ${status}`,
  status,
});
const two: ModelListAnswer = { ok: true, models: [{ id: "one" }, { id: "two" }] };

async function open(stage: Stage = {}) {
  const base = defaultConfig;
  const models = { providers: { mine: provider({ baseUrl: "http://127.0.0.1:9/v1" }) }, ...stage.models };
  const { catalogue } = await createCatalogueStage({ models });
  const asked: string[] = [];
  const test = createCredentialTest({
    catalogue: {
      find: catalogue.find,
      firstOf: catalogue.firstOf,
      async ask(_provider, auth) {
        asked.push(auth ? "list" : "list for anybody");
        return (auth ? stage.list : (stage.openList ?? stage.list)) ?? http(404);
      },
    },
    credentials: {
      candidates: async ({ agentId }) =>
        (stage.candidates ?? [mine as CredentialCandidate]).filter(
          (each) => (each.agentId ?? agentId) === agentId,
        ),
      authOf: async () => stage.access ?? { ok: true, auth: { apiKey: "sk" } },
    },
    config: () => ({
      models: { ...base.models, ...models },
      agents: {
        ...base.agents,
        list: stage.agents ?? [],
        defaults: { ...base.agents.defaults, model: stage.model ?? { fallbacks: [] } },
      },
    }),
    defaultAgentId: "main",
    say: createSay("en"),
    async question({ provider: of, id }, agentId, { credential }) {
      asked.push(`${of}/${id} ${agentId} ${credential}`);
      const { fails } = stage;
      return fails
        ? { model: null, failure: { code: fails, message: `it was ${fails}` } }
        : { model: `${of}/${id}`, failure: null };
    },
  });
  return { asked, test: (agentId: string | null = null) => test({ ...mine, agentId }) };
}

describe("the test of a credential", () => {
  it.each<[string, Stage]>([
    ["the first choice", { model: { primary: "mine/small", fallbacks: [] } }],
    ["a fallback", { model: { primary: "groq/x", fallbacks: ["mine/small"] } }],
    ["an agent's choice", { agents: [{ id: "helper", model: "mine/small" }] }],
  ])("asks the model that the config names for a server of one's own: %s", async (_name, stage) => {
    const { test, asked } = await open(stage);
    expect(await test()).toEqual({ outcome: "works", detail: "mine/small" });
    expect(asked).toEqual(["mine/small main work"]);
  });

  it.each<[ModelErrorCode, string]>([
    ["auth", "refused"],
    ["billing", "refused"],
    ["unavailable", "unclear"],
    ["not_found", "unclear"],
    ["rate_limit", "unclear"],
  ])("says after a failure of kind %s that it is %s", async (fails, outcome) => {
    const { test } = await open({ model: { primary: "mine/small", fallbacks: [] }, fails });
    expect(await test()).toEqual({ outcome, detail: `it was ${fails}` });
  });

  it("asks for the list of models where none is known", async () => {
    const closed = await open({ list: two, openList: http(401) });
    expect(await closed.test()).toMatchObject({ outcome: "works" });
    expect(closed.asked).toEqual(["list", "list for anybody"]);
    expect(await (await open({ list: http(401) })).test()).toMatchObject({ outcome: "refused" });
    expect(await (await open({ list: http(404) })).test()).toEqual({
      outcome: "unclear",
      detail: expect.stringMatching(/HTTP 404.*pincer models set mine\/<model>/),
    });
    const dark: ModelListAnswer = { ok: false, reason: "unreachable", detail: "ECONNREFUSED" };
    expect(await (await open({ list: dark })).test()).toMatchObject({
      outcome: "unclear",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("believes no list that everybody is told, and asks a model of it instead", async () => {
    const { test, asked } = await open({ list: two, fails: "auth" });
    expect(await test()).toMatchObject({ outcome: "refused" });
    expect(asked.at(-1)).toBe("mine/one main work");
    const nothing = await open({ list: { ok: true, models: [] } });
    expect(await nothing.test()).toMatchObject({ outcome: "unclear" });
  });

  it("finds out without a question where a limit of our own is reached, or says that it cannot tell", async () => {
    const model = { primary: "mine/small", fallbacks: [] };
    const over = { model, fails: "budget" } as const;
    expect(await (await open({ ...over, list: http(401) })).test()).toMatchObject({ outcome: "refused" });
    const { test, asked } = await open({ ...over, list: two });
    expect(await test()).toEqual({ outcome: "unclear", detail: "it was budget" });
    expect(asked).toEqual(["mine/small main work", "list", "list for anybody"]);
    const forbidden = await open({ model, models: { allowedProviders: ["groq"] } });
    expect(await forbidden.test()).toMatchObject({ outcome: "unclear" });
    expect(forbidden.asked).toEqual([]);
  });

  it("tells a key that cannot be opened from a login that was turned down", async () => {
    const failure = { code: "auth", message: "no" } as const;
    const locked = await open({ access: { ok: false, failure, local: true } });
    expect(await locked.test()).toEqual({ outcome: "unclear", detail: "no" });
    const gone = await open({ access: { ok: false, failure } });
    expect(await gone.test()).toEqual({ outcome: "refused", detail: "no" });
    expect(await (await open({ candidates: [] })).test()).toMatchObject({ outcome: "refused" });
  });

  it("asks with the agent's own, and with the one behind it, each for itself", async () => {
    const model = { primary: "mine/small", fallbacks: [] };
    const own = await open({ model, candidates: [{ ...mine, agentId: "helper" }] });
    await own.test("helper");
    expect(own.asked).toEqual(["mine/small helper work"]);
    const hidden = await open({ model, candidates: [{ ...mine, agentId: "main" }] });
    expect(await hidden.test("main")).toMatchObject({ outcome: "works" });
    expect(await hidden.test()).toMatchObject({ outcome: "refused" });
  });

  it("cannot tell where something of ours fails", async () => {
    const { test } = await open({ model: { primary: "mine/small", fallbacks: [] } });
    expect(await test()).toMatchObject({ outcome: "works" });
    const failing = createCredentialTest({
      ...({} as CredentialTestParts),
      say: createSay("en"),
      defaultAgentId: "main",
      credentials: {
        candidates: () => Promise.reject(new PincerError("storage/busy", "busy")),
        authOf: () => Promise.reject(new Error("not asked")),
      },
    });
    expect(await failing({ ...mine, agentId: null })).toEqual({ outcome: "unclear", detail: "busy" });
    const stopped = AbortSignal.abort(new Error("stop"));
    await expect(failing({ ...mine, agentId: null }, stopped)).rejects.toThrow("stop");
  });
});
