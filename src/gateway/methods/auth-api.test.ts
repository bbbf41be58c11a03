import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createApiStage, ways, type ApiStage } from "../../app/testing/api-stage.ts";

async function scratch(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-auth-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const key = (id: string, provider: string, value: string, more: { agentId?: string } = {}) => ({
  id,
  provider,
  type: "api_key" as const,
  secret: { key: value },
  source: "login",
  ...more,
});

const orderOf = async ({ apis }: ApiStage, provider: string) => (await apis.auth.order({ provider })).order;

const withAuth = (change: (config: Config) => void): Partial<Config> => {
  const config = structuredClone(defaultConfig);
  change(config);
  return config;
};

const withAgents = withAuth(({ agents }) => (agents.list = [{ id: "other" }, { id: "own" }]));

describe.each(ways)("the credentials API %s", (way) => {
  it("CLI-14 tells of each its place, its state and its history, and nothing secret", async () => {
    const stage = await createApiStage(way, withAgents);
    const { auth } = stage.apis;
    await auth.put(key("work", "openai", "sk-planted-secret-work"));
    await auth.put(key("own", "openai", "sk-planted-secret-mine", { agentId: "main" }));
    await auth.put(key("hers", "openai", "sk-planted-secret-hers", { agentId: "other" }));
    const expires = stage.clock.now() + 1000;
    const setup = { token: "planted-setup-token", expires };
    await auth.put({ id: "setup", provider: "anthropic", type: "token", secret: setup, source: "login" });
    const cooldownUntil = "2026-01-01T12:05:00.000Z";
    await stage.tenant.credentials.noteUse({ agentId: null, id: "work", provider: "openai" }, (use) => ({
      ...use,
      cooldownUntil,
      lastError: "slow down",
    }));
    await stage.clock.advance(1000);
    const { credentials } = await auth.status({});
    expect(JSON.stringify(credentials)).not.toContain("planted");
    const seen = credentials.map(({ id, agentId, state, position, label }) => [
      id,
      agentId,
      state,
      position,
      label,
    ]);
    expect(seen).toEqual([
      ["setup", null, "expired", 1, "…oken"],
      ["own", "main", "ready", 1, "…mine"],
      ["work", null, "set-aside", 2, "…work"],
      ["hers", "other", "ready", null, "…hers"],
    ]);
    expect(credentials[2]).toMatchObject({
      until: cooldownUntil,
      reason: "slow down",
      source: "login",
      type: "api_key",
    });
    const { credentials: others } = await auth.status({ provider: "openai", agentId: "other" });
    expect(others.map(({ id }) => id)).toEqual(["hers", "work"]);
  });

  it("AUTH-04 shows what stands in the config, and says so where its secret is missing", async () => {
    const stage = await createApiStage(
      way,
      withAuth(({ auth, models }) => {
        auth.profiles["team"] = { provider: "openai", apiKey: "sk-planted-secret-team" };
        auth.profiles["lost"] = { provider: "openai", apiKey: "secret:LOST" };
        models.providers["mine"] = { baseUrl: "http://127.0.0.1:1/v1", models: [] };
      }),
    );
    const { credentials } = await stage.apis.auth.status({});
    expect(
      credentials.map(({ id, provider, type, source, state, label }) => [
        id,
        provider,
        type,
        source,
        state,
        label,
      ]),
    ).toEqual([
      ["none", "mine", "none", "none", "ready", null],
      ["team", "openai", "api_key", "config", "ready", "…team"],
      ["lost", "openai", "api_key", "config", "locked", null],
    ]);
    await expect(stage.apis.auth.logout({ id: "team" })).rejects.toMatchObject({
      code: "usage/bad-argument",
      hint: expect.stringContaining("auth.profiles.team"),
    });
  });

  it("CLI-14 AUTH-15 switches to another, which is then tried first, and the rest stays in its order", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    for (const id of ["a", "b", "c"]) await auth.put(key(id, "openai", `sk-${id}-0123456789`));
    expect(await auth.use({ id: "c" })).toEqual({ provider: "openai", order: ["c", "a", "b"] });
    expect(await auth.use({ id: "b" })).toEqual({ provider: "openai", order: ["b", "c", "a"] });
    expect(await orderOf(stage, "openai")).toEqual(["b", "c", "a"]);
    await expect(auth.use({ id: "z" })).rejects.toMatchObject({ code: "secret/not-found" });
  });

  it("CLI-14 tries a new one although an order was set, or the config names others", async () => {
    const stage = await createApiStage(
      way,
      withAuth(
        ({ auth }) => (auth.profiles["team"] = { provider: "openai", apiKey: "sk-planted-secret-team" }),
      ),
    );
    await stage.apis.auth.put(key("new", "openai", "sk-0123456789"));
    expect(await orderOf(stage, "openai")).toEqual(["team", "new"]);
    await stage.apis.auth.order({ provider: "openai", ids: ["new"] });
    await stage.apis.auth.put(key("newer", "openai", "sk-0123456789"));
    expect(await orderOf(stage, "openai")).toEqual(["new", "newer"]);
    await stage.apis.auth.order({ provider: "openai", ids: [] });
    expect(await orderOf(stage, "openai")).toEqual(["team"]);
    await expect(stage.apis.auth.order({ provider: "openai", ids: ["z"] })).rejects.toMatchObject({
      code: "secret/not-found",
    });
  });

  it("CLI-14 forgets one for good, of the agent that was named", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    await auth.put(key("a", "openai", "sk-0123456789"));
    await auth.put(key("a", "openai", "sk-0123456789", { agentId: "main" }));
    expect(await auth.logout({ id: "a", agentId: "main" })).toEqual({
      removed: { id: "a", agentId: "main" },
    });
    expect((await auth.status({})).credentials).toMatchObject([{ id: "a", agentId: null }]);
    await auth.logout({ id: "a" });
    await expect(auth.logout({ id: "a" })).rejects.toMatchObject({ code: "secret/not-found" });
  });

  it("AUTH-05 stores nothing that could not be sent, and no name that means something else", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    for (const bad of [
      key("a", "openai", "  "),
      key("none", "openai", "sk-0123456789"),
      key("config:openai", "openai", "sk-0123456789"),
      key("sk planted", "openai", "sk-0123456789"),
    ])
      await expect(auth.put(bad)).rejects.toMatchObject({
        code: "usage/bad-argument",
        message: expect.not.stringContaining("planted"),
      });
    expect((await auth.status({})).credentials).toEqual([]);
  });

  it("CLI-14 writes nothing over another provider's credential of that name, and says which name is free", async () => {
    const stage = await createApiStage(way, withAgents);
    const { auth } = stage.apis;
    await auth.put(key("main", "anthropic", "sk-0123456789"));
    await auth.put(key("openai:default", "openai", "sk-0123456789"));
    await expect(auth.put(key("main", "openai", "sk-9876543210"))).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: expect.stringContaining("anthropic"),
      hint: expect.stringMatching(/openai:2 is free.*pincer auth logout main$/),
    });
    await auth.put(key("main", "openai", "sk-9876543210", { agentId: "own" }));
    await expect(auth.put(key("main", "groq", "sk-9876543210", { agentId: "own" }))).rejects.toMatchObject({
      hint: expect.stringMatching(/groq:default is free.*pincer auth logout main --agent own$/),
    });
    const file = join(await scratch(), "auth-profiles.json");
    const profiles = {
      fine: { type: "api_key", provider: "openai", key: "sk-9876543210" },
      main: { type: "api_key", provider: "openai", key: "sk-9876543210" },
    };
    await writeFile(file, JSON.stringify({ version: 1, profiles }));
    for (const force of [false, true])
      await expect(auth.import({ from: "file", file, force })).rejects.toMatchObject({
        code: "usage/bad-argument",
        hint: expect.stringContaining("pincer auth logout main"),
      });
    const { credentials } = await auth.status({});
    expect(credentials.map(({ id, provider }) => [id, provider])).toEqual([
      ["main", "anthropic"],
      ["openai:default", "openai"],
      ["main", "openai"],
    ]);
    await auth.put(key("main", "anthropic", "sk-newer-0123"));
    expect((await auth.status({ provider: "anthropic" })).credentials).toMatchObject([{ label: "…0123" }]);
  });

  it("AUTH-14 takes no login for a provider that has none", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    const login = { refresh: "r", access: "a", expires: 9e12 };
    await expect(
      auth.put({ id: "me", provider: "mine", type: "oauth", secret: login, source: "login" }),
    ).rejects.toMatchObject({ code: "usage/bad-argument", hint: expect.stringContaining("github-copilot") });
    const file = join(await scratch(), "auth-profiles.json");
    const profiles = {
      a: { type: "oauth", provider: "mine", ...login },
      b: { type: "api_key", provider: "mine", key: "good-key-12345" },
    };
    await writeFile(file, JSON.stringify({ version: 1, profiles }));
    expect(await auth.import({ from: "file", file })).toEqual({
      imported: ["b"],
      kept: [],
      skipped: [{ id: "a", reason: "no-login" }],
    });
    await writeFile(
      file,
      JSON.stringify({ version: 1, profiles: { c: profiles.b, "config:x": profiles.b } }),
    );
    await expect(auth.import({ from: "file", file })).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: expect.stringContaining("config:x"),
      hint: "Nothing was changed.",
    });
    expect((await auth.status({})).credentials.map(({ id }) => id)).toEqual(["b"]);
  });

  it("CLI-14 asks the provider about one, or about each that is tried", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    await auth.put(key("a", "openai", "sk-0123456789"));
    await auth.put(key("bad", "anthropic", "sk-0123456789"));
    expect(await auth.test({ id: "a" })).toEqual({
      results: [{ id: "a", agentId: null, outcome: "works", ok: true, detail: "asked openai" }],
    });
    expect((await auth.test({})).results.map(({ id, ok }) => [id, ok])).toEqual([
      ["bad", false],
      ["a", true],
    ]);
  });

  it("CLI-14 asks about those of agents, too, and tells a refusal from what says nothing", async () => {
    const stage = await createApiStage(way, withAgents);
    const { auth } = stage.apis;
    await auth.put(key("a", "openai", "sk-0123456789"));
    await auth.put(key("a", "openai", "sk-9876543210", { agentId: "main" }));
    await auth.put(key("bad", "openai", "sk-0123456789", { agentId: "other" }));
    await auth.put(key("dark", "openai", "sk-0123456789", { agentId: "own" }));
    const testedBy = async (wish: { id?: string; agentId?: string }) =>
      (await auth.test(wish)).results.map(({ id, agentId, outcome }) => [id, agentId, outcome]);
    expect(await testedBy({})).toEqual([
      ["a", null, "works"],
      ["a", "main", "works"],
      ["bad", "other", "refused"],
      ["dark", "own", "unclear"],
    ]);
    expect(await testedBy({ id: "bad" })).toEqual([["bad", "other", "refused"]]);
    expect(await testedBy({ agentId: "other" })).toEqual([
      ["bad", "other", "refused"],
      ["a", null, "works"],
    ]);
    await expect(auth.test({ id: "z" })).rejects.toMatchObject({ code: "secret/not-found" });
  });

  it("CLI-14 stores nothing for a provider or an agent that nobody knows, unless it is wanted all the same", async () => {
    const stage = await createApiStage(way, withAgents);
    const { auth } = stage.apis;
    await expect(auth.put(key("a", "anthropc", "sk-0123456789"))).rejects.toMatchObject({
      code: "model/not-found",
      hint: expect.stringContaining("Did you mean anthropic?"),
    });
    const elsewhere = key("a", "openai", "sk-0123456789", { agentId: "nosuch" });
    await expect(auth.put(elsewhere)).rejects.toMatchObject({
      code: "config/not-found",
      hint: "Known agents: main, other, own.",
    });
    expect((await auth.status({})).credentials).toEqual([]);
    await auth.put({ ...elsewhere, force: true });
    await auth.put({ ...key("b", "anthropc", "sk-0123456789"), force: true });
    expect((await auth.status({ provider: "anthropc" })).credentials).toMatchObject([{ id: "b" }]);
    expect(await auth.logout({ id: "a", agentId: "nosuch" })).toMatchObject({ removed: { id: "a" } });
    const nobody = { code: "config/not-found" };
    await expect(auth.status({ agentId: "nosuch" })).rejects.toMatchObject(nobody);
    await expect(auth.test({ agentId: "nosuch" })).rejects.toMatchObject(nobody);
    await expect(auth.status({ provider: "opnai" })).rejects.toMatchObject({
      hint: expect.stringContaining("openai"),
    });
  });

  it("AUTH-05 takes the white space around a key away, and refuses what no header takes without repeating it", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    for (const bad of ["sk-plan ted-0123", "sk-planted\u0007-0123", "sk-plantéd-0123", "sk-planted\n0123"])
      await expect(auth.put(key("a", "openai", bad))).rejects.toMatchObject({
        code: "usage/bad-argument",
        message: expect.not.stringContaining("plan"),
      });
    await auth.put(key("a", "openai", " \tsk-planted-0123\r\n"));
    const file = join(await scratch(), "out.json");
    await auth.export({ file });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      profiles: { a: { key: "sk-planted-0123" } },
    });
  });

  it("CLI-14 says whose a credential is that stands in the order of another provider", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    await auth.put(key("anthropic:default", "anthropic", "sk-0123456789"));
    await expect(auth.order({ provider: "openai", ids: ["anthropic:default"] })).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: expect.stringContaining("belongs to anthropic"),
    });
  });

  it("CLI-14 says how many credentials of agents an export leaves out, and makes no directory", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    await auth.put(key("a", "openai", "sk-0123456789"));
    await auth.put(key("b", "openai", "sk-0123456789", { agentId: "main" }));
    const directory = await scratch();
    expect(await auth.export({ file: join(directory, "all.json") })).toMatchObject({ leftOut: 1 });
    expect(await auth.export({ file: join(directory, "main.json"), agentId: "main" })).toMatchObject({
      credentials: 1,
      leftOut: 0,
    });
    for (const force of [false, true])
      await expect(auth.export({ file: join(directory, "typo", "x.json"), force })).rejects.toMatchObject({
        code: "usage/bad-argument",
        message: expect.stringContaining("no directory"),
      });
  });

  it("AUTH-01 AUTH-02 takes a file in and gives the same back, for its owner alone", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    const directory = await scratch();
    const file = join(directory, "auth-profiles.json");
    const content = {
      version: 1,
      profiles: {
        "anthropic:default": { type: "api_key", provider: "anthropic", key: "sk-planted" },
        "openai-codex:me": {
          type: "oauth",
          provider: "openai-codex",
          refresh: "r",
          access: "a",
          expires: 9e12,
        },
      },
      order: { anthropic: ["anthropic:default"] },
      lastGood: { anthropic: "anthropic:default" },
      usageStats: { "anthropic:default": { lastUsed: 1_767_268_800_000, errorCount: 2 } },
    };
    await writeFile(file, JSON.stringify(content));
    for (const agentId of [undefined, "main"]) {
      const owner = agentId === undefined ? {} : { agentId };
      const outcome = await auth.import({ from: "file", file, ...owner });
      expect(outcome).toEqual({ imported: ["anthropic:default", "openai-codex:me"], kept: [], skipped: [] });
      const out = join(directory, `out-${agentId}.json`);
      expect(await auth.export({ file: out, ...owner })).toEqual({
        file: out,
        credentials: 2,
        leftOut: 0,
      });
      expect(JSON.parse(await readFile(out, "utf8"))).toEqual(content);
      expect((await stat(out)).mode & 0o777).toBe(0o600);
      await expect(auth.export({ file: out, ...owner })).rejects.toMatchObject({
        hint: expect.stringContaining("--force"),
      });
      await auth.export({ file: out, force: true, ...owner });
    }
  });

  it("AUTH-12 replaces a login by a newer one, another secret only when asked, and nothing by what is broken", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    const file = join(await scratch(), "auth-profiles.json");
    const bring = async (profiles: object, force = false) => {
      await writeFile(file, JSON.stringify({ version: 1, profiles }));
      return auth.import({ from: "file", file, force });
    };
    const login = (access: string, expires: number) => ({
      type: "oauth",
      provider: "openai-codex",
      refresh: "r",
      access,
      expires,
    });
    const secret = (value: string) => ({ type: "api_key", provider: "openai", key: value });
    await bring({ me: login("one", 2000), k: secret("sk-1") });
    expect(await bring({ me: login("older", 1000), k: secret("sk-1") })).toMatchObject({
      imported: [],
      kept: ["me", "k"],
    });
    expect(await bring({ me: login("newer", 3000), k: secret("sk-2") })).toMatchObject({
      imported: ["me"],
      kept: ["k"],
    });
    expect(await bring({ k: secret("sk-2") }, true)).toMatchObject({ imported: ["k"] });
    await expect(bring({ fine: secret("sk-3"), broken: { type: "api_key" } })).rejects.toMatchObject({
      code: "usage/bad-argument",
      hint: "Nothing was changed.",
    });
    expect((await auth.status({})).credentials.map(({ id }) => id)).toEqual(["k", "me"]);
    await expect(auth.import({ from: "file", file: `${file}.none` })).rejects.toMatchObject({
      code: "usage/not-found",
    });
  });

  it("AUTH-12 takes the login of another program, unless the provider has a key", async () => {
    const stage = await createApiStage(way);
    const { auth } = stage.apis;
    const file = join(await scratch(), ".credentials.json");
    await writeFile(
      file,
      JSON.stringify({ claudeAiOauth: { accessToken: "a", refreshToken: "r", expiresAt: 5 } }),
    );
    expect(await auth.import({ from: "claude-cli", file })).toMatchObject({
      imported: ["anthropic:claude-cli"],
    });
    await auth.logout({ id: "anthropic:claude-cli" });
    await auth.put(key("mine", "anthropic", "sk-0123456789"));
    expect(await auth.import({ from: "claude-cli", file })).toMatchObject({
      imported: [],
      hasKey: "anthropic",
    });
    expect(await auth.import({ from: "claude-cli", file, force: true })).toMatchObject({
      imported: ["anthropic:claude-cli"],
    });
  });
});
