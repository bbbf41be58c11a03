import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { locateHome } from "../../config/home.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { openApi } from "../../app/open-api.ts";
import type { Api } from "../../gateway/methods/api.ts";
import type { LocalApis } from "../../app/local-apis.ts";
import { startPickyServer } from "./testing/picky-server.ts";

async function stage(more: Record<string, string> = {}, config = "{ models: { discover: false } }") {
  const root = await mkdtemp(join(tmpdir(), "pincer-setup-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const environment = { HOME: root, PINCER_HOME: join(root, "home"), ...more };
  const home = locateHome(environment);
  await mkdir(home.root, { recursive: true, mode: 0o700 });
  await writeFile(home.configFile, config, { mode: 0o600 });
  const redactor = createRedactor();
  const parts = {
    environment,
    redactor,
    say: createSay("en"),
    notify() {},
    cwd: root,
    version: "0.0.0-test",
  };
  /** Opened for each piece of work, as a command does: it sees what was written before. */
  async function at<Family extends keyof LocalApis, Result>(
    family: Family,
    work: (api: Api<Family>) => Promise<Result>,
  ): Promise<Result> {
    const { api, close } = await openApi(family, parts);
    try {
      return await work(api);
    } finally {
      await close();
    }
  }
  const configText = () => readFile(home.configFile, "utf8");
  return {
    root,
    home,
    redactor,
    at,
    configText,
    setup: <R>(work: (api: Api<"setup">) => Promise<R>) => at("setup", work),
  };
}

const codexLogin = (access: string) =>
  JSON.stringify({
    tokens: { access_token: access, refresh_token: "codex-refresh-token", account_id: "acc" },
  });

const admin = {
  signal: new AbortController().signal,
  caller: {
    id: "token:x_1",
    name: "admin",
    role: "admin",
    way: "token",
    tenantId: "local",
    scope: { type: "tenant" },
  },
} as const;

describe("the first run", { timeout: 30_000 }, () => {
  it("CLI-19 says what is there and which step is next, before anything is set up", async () => {
    const { setup } = await stage();
    const view = await setup((api) => api.status({}));
    expect(view).toMatchObject({
      done: false,
      doneAt: null,
      next: "model",
      model: { reference: null, ready: false, answers: null, problem: null },
      assistant: { agentId: "main", name: null },
      channels: [],
      owned: false,
      address: null,
    });
    expect(view.steps.map(({ step, state }) => [step, state])).toEqual([
      ["model", "open"],
      ["assistant", "open"],
      ["channel", "open"],
      ["service", process.platform === "linux" || process.platform === "darwin" ? "open" : "left-out"],
    ]);
    const inChinese = await setup((api) => api.status({ language: "zh" }));
    expect(inChinese.steps[0]?.note).toBe("尚未连接模型；目前由内置的替身回答");
  });

  it("CLI-19 finds keys of the environment and logins of other programs, and never tells the secret itself", async () => {
    const { root, setup, redactor } = await stage({ OPENAI_API_KEY: "sk-openai-secret-1234" });
    await mkdir(join(root, ".codex"));
    await writeFile(join(root, ".codex", "auth.json"), codexLogin("codex-access-token"));
    await mkdir(join(root, ".claude"));
    await writeFile(join(root, ".claude", ".credentials.json"), "not json");
    const found = await setup((api) => api.find({}));
    expect(
      found.credentials.map(({ id, provider, kind, taken, expired }) => ({
        id,
        provider,
        kind,
        taken,
        expired,
      })),
    ).toEqual([
      {
        id: "environment:openai:OPENAI_API_KEY",
        provider: "openai",
        kind: "key",
        taken: false,
        expired: false,
      },
      {
        id: "codex-cli:openai-codex:codex-cli",
        provider: "openai-codex",
        kind: "login",
        taken: false,
        expired: false,
      },
    ]);
    expect(found.credentials.map(({ where }) => where)).toEqual([
      "OPENAI_API_KEY",
      join(root, ".codex", "auth.json"),
    ]);
    expect(found.credentials.map(({ caution }) => caution === null)).toEqual([true, false]);
    expect(JSON.stringify(found)).not.toMatch(/sk-openai|codex-access|codex-refresh/);
    expect(redactor.text("sk-openai-secret-1234 codex-refresh-token")).not.toMatch(
      /secret-1234|refresh-token/,
    );
  });

  it("finds an Ollama where OLLAMA_HOST says it is on this machine, and takes it with its address", async () => {
    const server = await startPickyServer({ open: true });
    const { setup, configText } = await stage({ OLLAMA_HOST: new URL(server.origin).host });
    const { servers } = await setup((api) => api.find({}));
    expect(servers).toEqual([
      {
        id: "server:ollama",
        provider: "ollama",
        providerName: "Ollama",
        baseUrl: server.baseUrl,
        models: [{ id: "llama3:8b", name: "llama3:8b" }],
      },
    ]);
    const taken = await setup((api) => api.take({ id: "server:ollama" }));
    expect(taken).toMatchObject({ ok: true, reference: "ollama/llama3:8b", text: "ok", credential: null });
    expect(server.asked).toEqual([{ key: expect.any(String), model: "llama3:8b" }]);
    expect(await configText()).toContain(server.baseUrl);
    const { model, next } = await setup((api) => api.status({ probe: true }));
    expect(model).toMatchObject({ reference: "ollama/llama3:8b", ready: true, answers: true });
    expect(next).toBe("assistant");
  });

  it("takes a key that was found only after a real answer, and has it tried first from then on", async () => {
    const server = await startPickyServer();
    const config = `{ models: { discover: false, providers: { openai: { baseUrl: "${server.baseUrl}", api: "openai-completions" } } } }`;
    const { setup, at } = await stage({ OPENAI_API_KEY: "right-key" }, config);
    const taken = await setup((api) =>
      api.take({ id: "environment:openai:OPENAI_API_KEY", model: "gpt-4o" }),
    );
    expect(taken).toMatchObject({
      ok: true,
      reference: "openai/gpt-4o",
      credential: "openai:OPENAI_API_KEY",
    });
    const { credentials } = await at("auth", (api) => api.status({ provider: "openai" }));
    expect(credentials[0]).toMatchObject({ id: "openai:OPENAI_API_KEY", position: 1, source: "environment" });
    const found = await setup((api) => api.find({}));
    expect(found.credentials[0]?.taken).toBe(true);
  });

  it("refuses what was not found", async () => {
    const { setup } = await stage();
    for (const id of ["environment:openai:OPENAI_API_KEY", "server:ollama", "../../etc/passwd"])
      await expect(setup((api) => api.take({ id }))).rejects.toMatchObject({ code: "usage/not-found" });
  });

  it("writes nothing for a key that does not work, and says what is wrong and what to do next", async () => {
    const server = await startPickyServer();
    const { setup, at, configText, home } = await stage();
    const before = await configText();
    const attempt = (key: string, model = "small") =>
      setup((api) => api.tryModel({ provider: "mine", baseUrl: server.baseUrl, key, model }));
    expect(await attempt("wrong-key")).toMatchObject({
      ok: false,
      problem: { code: "auth", next: expect.stringContaining("Check the key"), guide: "models" },
    });
    expect(await attempt("poor-key")).toMatchObject({ ok: false, problem: { code: "billing" } });
    expect(await attempt("right-key", "missing")).toMatchObject({
      ok: false,
      problem: { code: "not_found" },
    });
    expect(await configText()).toBe(before);
    expect((await at("auth", (api) => api.status({}))).credentials).toEqual([]);
    expect(JSON.parse(await readFile(home.secretsFile, "utf8"))).toMatchObject({ secrets: {} });
  });

  it("says what is wrong with an address where nobody answers, a provider that nobody knows, and a key that cannot be sent", async () => {
    const { setup } = await stage();
    const unreachable = { provider: "mine", baseUrl: "http://127.0.0.1:9/v1", key: "right-key" };
    expect(await setup((api) => api.tryModel(unreachable))).toMatchObject({
      ok: false,
      problem: { code: "unavailable" },
    });
    expect(await setup((api) => api.tryModel({ provider: "nobody" }))).toMatchObject({
      ok: false,
      problem: { code: "unknown-provider" },
    });
    await expect(
      setup((api) => api.tryModel({ provider: "openai", key: "two words" })),
    ).rejects.toMatchObject({
      code: "usage/bad-argument",
    });
  });

  it("only tries where nothing is to be written, and names the models that the server has", async () => {
    const server = await startPickyServer();
    const { setup, configText } = await stage();
    const before = await configText();
    const tried = await setup((api) =>
      api.tryModel({ provider: "mine", baseUrl: server.baseUrl, key: "right-key", write: false }),
    );
    expect(tried).toMatchObject({
      ok: true,
      reference: "mine/large",
      models: ["large", "small"],
      change: null,
    });
    expect(await configText()).toBe(before);
  });

  it("keeps a key that works where nobody reads it, with the address and the model beside it", async () => {
    const server = await startPickyServer();
    const { setup, at, configText } = await stage();
    const tried = await setup((api) =>
      api.tryModel({ provider: "mine", baseUrl: server.baseUrl, key: " right-key\n", model: "mine/large" }),
    );
    expect(tried).toMatchObject({ ok: true, reference: "mine/large", credential: "mine:default" });
    expect(await configText()).not.toContain("right-key");
    expect((await at("models", (api) => api.test({}))).ok).toBe(true);
    // Again, with what is there now.
    expect(await setup((api) => api.tryModel({ provider: "mine", model: "small" }))).toMatchObject({
      ok: true,
    });
    expect((await setup((api) => api.status({}))).model.reference).toBe("mine/small");
  });

  it("SEC-02 sends no stored key to an address that an admin names, and calls none for them", async () => {
    const server = await startPickyServer();
    const config = `{ models: { discover: false, providers: { mine: { baseUrl: "${server.baseUrl}" } } } }`;
    const { setup, configText } = await stage({}, config);
    await setup((api) => api.tryModel({ provider: "mine", key: "right-key", model: "small" }));
    const foreign = await startPickyServer();
    const before = await configText();
    const refused = { code: "permission/missing" };
    const attempt = (more: object) =>
      setup((api) =>
        api.tryModel({ provider: "mine", baseUrl: foreign.baseUrl, write: false, ...more }, admin),
      );
    await expect(attempt({ model: "small" })).rejects.toMatchObject(refused);
    await expect(attempt({ model: "small", key: "right-key" })).rejects.toMatchObject(refused);
    await expect(attempt({})).rejects.toMatchObject(refused);
    expect([foreign.asked, await configText()]).toEqual([[], before]);
    const own = { provider: "mine", baseUrl: server.baseUrl, model: "small" };
    expect(await setup((api) => api.tryModel(own, admin))).toMatchObject({ ok: true });
  });

  it("SEC-02 asks no model for callers who may only read", async () => {
    const { setup } = await stage();
    const viewer = { ...admin, caller: { ...admin.caller, role: "viewer" } } as const;
    await expect(setup((api) => api.status({ probe: true }, viewer))).rejects.toMatchObject({
      code: "permission/missing",
    });
    expect((await setup((api) => api.status({}, viewer))).next).toBe("model");
    expect((await setup((api) => api.status({ probe: true }, admin))).next).toBe("model");
  });

  it("a new key goes before an old one that the config has for the provider", async () => {
    const server = await startPickyServer();
    const config = `{ models: { discover: false, providers: { mine: { baseUrl: "${server.baseUrl}", apiKey: "stale-key" } } } }`;
    const { setup, at } = await stage({}, config);
    await setup((api) => api.tryModel({ provider: "mine", key: "right-key", model: "small" }));
    expect(server.asked.map(({ key }) => key)).toEqual(["right-key"]);
    expect((await at("models", (api) => api.test({}))).ok).toBe(true);
    expect(server.asked.map(({ key }) => key)).toEqual(["right-key", "right-key"]);
  });

  it("names the assistant, again if need be, and keeps what else is said of it", async () => {
    const { setup } = await stage(
      {},
      "{ models: { discover: false }, agents: { list: [{ id: 'main', thinkingDefault: 'low' }] } }",
    );
    expect(await setup((api) => api.name({ name: " Ada ", user: "Grace" }))).toMatchObject({ name: "Ada" });
    const { assistant } = await setup((api) => api.status({}));
    expect(assistant).toEqual({ agentId: "main", name: "Ada", user: "Grace" });
    await setup((api) => api.name({ name: "小虾" }));
    expect((await setup((api) => api.status({}))).assistant).toEqual({
      agentId: "main",
      name: "小虾",
      user: "Grace",
    });
    for (const name of ["  ", "a\nb", "a\u202eb", "\u001b[2J"])
      await expect(setup((api) => api.name({ name }))).rejects.toMatchObject({
        code: "usage/bad-argument",
      });
  });

  it("names an assistant that the config does not list yet", async () => {
    const { setup, at } = await stage();
    const before = await at("agents", (api) => api.list({}));
    await setup((api) => api.name({ name: "Ada" }));
    const after = await at("agents", (api) => api.list({}));
    expect(after.agents).toEqual([{ ...before.agents[0], name: "Ada", configured: true }]);
  });

  it("remembers which steps nobody wants, and that the first run is over; a record that is broken is none", async () => {
    const { setup, home } = await stage();
    await setup((api) => api.done({ step: "channel" }));
    await setup((api) => api.done({ step: "channel" }));
    const view = await setup((api) => api.status({}));
    expect(view.steps.find(({ step }) => step === "channel")?.state).toBe("left-out");
    expect(view.done).toBe(false);
    expect(await setup((api) => api.done({}))).toEqual({ done: true, step: null });
    expect((await setup((api) => api.status({}))).done).toBe(true);
    await writeFile(join(home.root, "setup.json"), "{ broken");
    expect((await setup((api) => api.status({}))).done).toBe(false);
  });
});
