import { PincerError } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createSecretBox } from "../../config/secret-box.ts";
import { noLogin } from "./oauth-flows.ts";
import { createCredentialStage, type CredentialStage } from "./testing/credential-stage.ts";

const signal = new AbortController().signal;
const wish = (provider: string, more: { agentId?: string; only?: string } = {}) => ({
  provider,
  agentId: "main",
  ...more,
});

const idsOf = async (stage: CredentialStage, provider: string, more = {}) =>
  (await stage.open().candidates(wish(provider, more))).map(({ id }) => id);

async function keyOf(
  stage: CredentialStage,
  provider: string,
  more: { agentId?: string; only?: string } = {},
) {
  const credentials = stage.open();
  const [candidate] = await credentials.candidates(wish(provider, more));
  if (!candidate) throw new Error("no candidate");
  const outcome = await credentials.authOf(candidate, wish(provider, more), signal);
  return outcome.ok ? outcome.auth.apiKey : outcome.failure;
}

async function authOf(stage: CredentialStage, provider: string, only: string, until = signal) {
  const credentials = stage.open();
  const [candidate] = await credentials.candidates(wish(provider, { only }));
  if (!candidate) throw new Error("no candidate");
  return credentials.authOf(candidate, wish(provider), until);
}

describe("where credentials come from", () => {
  it("AUTH-12 takes no key from the environment that nobody said to take", async () => {
    const stage = createCredentialStage();
    stage.environment = { OPENAI_API_KEY: "sk-planted", ANTHROPIC_API_KEY: "sk-planted-2" };
    expect(await idsOf(stage, "openai")).toEqual([]);
    expect(await idsOf(stage, "anthropic")).toEqual([]);
    stage.settings.models.providers["openai"] = { environment: true, models: [] };
    expect(await idsOf(stage, "openai")).toEqual(["environment"]);
    expect(await keyOf(stage, "openai")).toBe("sk-planted");
    expect(stage.redactor.text("sk-planted")).toBe("[secret:environment]");
    stage.environment = {};
    expect(await idsOf(stage, "openai")).toEqual([]);
  });

  it("gives a tenant nothing of another's", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-planted" });
    expect(await idsOf(stage, "openai")).toEqual(["a"]);
    expect(await stage.open("one", "t_rival").candidates(wish("openai"))).toEqual([]);
  });

  it("has one for a server that wants none, as long as no key is there", async () => {
    const stage = createCredentialStage();
    expect(await idsOf(stage, "ollama")).toEqual([]);
    stage.keyless.add("ollama");
    stage.settings.models.providers["mine"] = { baseUrl: "http://127.0.0.1:1/v1", models: [] };
    for (const provider of ["ollama", "mine"]) {
      expect(await idsOf(stage, provider)).toEqual(["none"]);
      expect(await keyOf(stage, provider)).toBeUndefined();
    }
    await stage.put("a", "mine", { key: "sk-planted" });
    expect(await idsOf(stage, "mine")).toEqual(["a"]);
  });

  it("AUTH-04 tries what stands beside the address first, then what is stored, unless an order says otherwise", async () => {
    const stage = createCredentialStage();
    await stage.put("b", "openai", { key: "sk-b" });
    await stage.put("a", "openai", { key: "sk-a" });
    stage.settings.models.providers["openai"] = { apiKey: "secret:OPENAI", models: [] };
    stage.secrets.set("secret:OPENAI", "sk-planted-config");
    expect(await idsOf(stage, "openai")).toEqual(["config:openai", "a", "b"]);
    expect(await keyOf(stage, "openai")).toBe("sk-planted-config");
    expect(stage.redactor.text("sk-planted-config")).toBe("[secret:config:openai]");
    stage.settings.auth.order["openai"] = ["b", "config:openai"];
    expect(await idsOf(stage, "openai")).toEqual(["b", "config:openai"]);
    const { credentials } = stage.stores.tenant("t_default");
    await credentials.setOrder(null, "openai", ["a"]);
    expect(await idsOf(stage, "openai")).toEqual(["a"]);
    await credentials.setOrder("main", "openai", ["b"]);
    expect(await idsOf(stage, "openai")).toEqual(["b"]);
    expect(await idsOf(stage, "openai", { agentId: "other" })).toEqual(["a"]);
  });

  it("AUTH-04 takes the profiles of the config before all that is stored", async () => {
    const stage = createCredentialStage();
    await stage.put("stored", "openai", { key: "sk-s" });
    await stage.put("both", "openai", { key: "sk-b" });
    stage.settings.auth.profiles = {
      work: { provider: "openai", apiKey: "sk-work" },
      both: { provider: "openai", mode: "oauth" },
      empty: { provider: "openai", mode: "api_key", apiKey: "  " },
      other: { provider: "anthropic", mode: "token", token: "tok" },
    };
    expect(await idsOf(stage, "openai")).toEqual(["work", "both"]);
    expect(await keyOf(stage, "openai", { only: "work" })).toBe("sk-work");
    expect(await keyOf(stage, "anthropic")).toBe("tok");
  });

  it("AUTH-01 takes an agent's own before the one of that name that holds for all", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-shared" });
    await stage.put("a", "openai", { key: "sk-own" }, { agentId: "main" });
    await stage.put("hers", "openai", { key: "sk-hers" }, { agentId: "other" });
    expect(await idsOf(stage, "openai")).toEqual(["a"]);
    expect(await keyOf(stage, "openai")).toBe("sk-own");
    expect(await keyOf(stage, "openai", { agentId: "third" })).toBe("sk-shared");
  });

  it("CLI-06 takes the one that was asked for, and no other", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-a" });
    await stage.put("b", "openai", { key: "sk-b" });
    expect(await idsOf(stage, "openai", { only: "b" })).toEqual(["b"]);
    expect(await idsOf(stage, "anthropic", { only: "b" })).toEqual([]);
    expect(await idsOf(stage, "openai", { only: "c" })).toEqual([]);
  });

  it("CLI-06 tells whose a credential is that an agent can see, wherever it stands", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-a" });
    await stage.put("a", "groq", { key: "sk-own" }, { agentId: "main" });
    await stage.put("hers", "openai", { key: "sk-hers" }, { agentId: "other" });
    stage.settings.auth.profiles["team"] = { provider: "anthropic", apiKey: "sk-team" };
    stage.settings.auth.profiles["nothing"] = { provider: "anthropic", mode: "oauth" };
    stage.settings.models.providers["mine"] = { apiKey: "sk-mine", models: [] };
    const credentials = stage.open();
    expect(await credentials.providerOf("a", "main")).toBe("groq");
    expect(await credentials.providerOf("a", "third")).toBe("openai");
    expect(await credentials.providerOf("team", "main")).toBe("anthropic");
    expect(await credentials.providerOf("config:mine", "main")).toBe("mine");
    for (const id of ["hers", "nothing", "mine", "config:openai", "none", "constructor"])
      expect(await credentials.providerOf(id, "main")).toBeUndefined();
  });

  it("AUTH-05 leaves out a token that has run out", async () => {
    const stage = createCredentialStage();
    const expires = stage.clock.now() + 1000;
    await stage.put("t", "anthropic", { token: "tok", expires }, { type: "token" });
    expect(await idsOf(stage, "anthropic")).toEqual(["t"]);
    await stage.clock.advance(1000);
    expect(await idsOf(stage, "anthropic")).toEqual([]);
  });
});

describe("what is held against a credential", () => {
  async function stageWithTwo() {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-planted-a" });
    await stage.put("b", "openai", { key: "sk-planted-b" });
    const credentials = stage.open();
    const first = async () => (await credentials.candidates(wish("openai")))[0];
    const fail = async (code: "auth" | "invalid_request" | "rate_limit", message = "no") => {
      const candidate = await first();
      if (candidate) await credentials.failed(candidate, { code, message }, { isOnly: false });
    };
    return { stage, credentials, first, fail };
  }

  it("AUTH-06 AUTH-11 moves to the end what failed, says why and until when, and comes back by itself", async () => {
    const { stage, credentials, fail } = await stageWithTwo();
    await fail("rate_limit", "slow down, sk-planted-a");
    stage.redactor.add("a", "sk-planted-a");
    const now = stage.clock.now();
    expect(await credentials.candidates(wish("openai"))).toMatchObject([
      { id: "b" },
      { id: "a", cooldownUntil: now + 300_000, reason: expect.stringContaining("slow down") },
    ]);
    expect(await credentials.candidates(wish("openai"))).toEqual(
      await stage.open("two").candidates(wish("openai")),
    );
    await stage.clock.advance(300_000);
    expect((await credentials.candidates(wish("openai"))).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("AUTH-07 forgets it when it has worked", async () => {
    const { credentials, fail } = await stageWithTwo();
    await fail("auth");
    const [, a] = await credentials.candidates(wish("openai"));
    if (a) await credentials.succeeded(a);
    expect((await credentials.candidates(wish("openai"))).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("AUTH-08 is nothing after a request that was bad in itself", async () => {
    const { first, fail } = await stageWithTwo();
    await fail("invalid_request");
    expect(await first()).toEqual({ id: "a", provider: "openai" });
  });

  it("keeps no secret in what it notes", async () => {
    const { stage, fail } = await stageWithTwo();
    stage.redactor.add("a", "sk-planted-a");
    await fail("auth", "bad key sk-planted-a");
    const uses = await stage.stores.tenant("t_default").credentials.uses();
    expect(JSON.stringify([...uses])).toContain("bad key [secret:a]");
  });

  it("is kept for an agent's own apart from the shared one of that name", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-shared" });
    await stage.put("a", "openai", { key: "sk-own" }, { agentId: "main" });
    const credentials = stage.open();
    const [own] = await credentials.candidates(wish("openai"));
    if (own) await credentials.failed(own, { code: "auth", message: "no" }, { isOnly: false });
    expect((await credentials.candidates(wish("openai")))[0]).toHaveProperty("cooldownUntil");
    expect((await credentials.candidates(wish("openai", { agentId: "x" })))[0]).not.toHaveProperty(
      "cooldownUntil",
    );
  });
});

describe("what goes with a request", () => {
  it("AUTH-03 is the key or the token, with the settings that belong to it", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "cloudflare", { key: " sk-a\n", settings: { ACCOUNT: "1" } });
    const credentials = stage.open();
    const [candidate] = await credentials.candidates(wish("cloudflare"));
    if (!candidate) throw new Error("no candidate");
    expect(await credentials.authOf(candidate, wish("cloudflare"), signal)).toEqual({
      ok: true,
      auth: { apiKey: "sk-a", settings: { ACCOUNT: "1" } },
    });
  });

  it("is no address and no headers that stand beside a key, and no setting that is no text", async () => {
    const stage = createCredentialStage();
    const secret = {
      key: "sk-a",
      baseUrl: "http://elsewhere.example",
      headers: { "x-a": "b" },
      settings: { A: 1 },
    };
    await stage.put("a", "openai", secret);
    await stage.put("b", "openai", { ...secret, key: "", token: "t", settings: "text" }, { type: "token" });
    expect(await authOf(stage, "openai", "a")).toEqual({ ok: true, auth: { apiKey: "sk-a" } });
    expect(await authOf(stage, "openai", "b")).toEqual({ ok: true, auth: { apiKey: "t" } });
  });

  it("AUTH-08 is trouble of this machine, with words on what to do, where the key of the secrets does not fit", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-a" });
    await stage.put("me", "openai-codex", { refresh: "r", access: "a", expires: 1 }, { type: "oauth" });
    stage.box = createSecretBox(async () => Buffer.alloc(32, 8));
    for (const [provider, id] of [
      ["openai", "a"],
      ["openai-codex", "me"],
    ] as const)
      expect(await authOf(stage, provider, id)).toEqual({
        ok: false,
        local: true,
        failure: { code: "auth", message: expect.stringContaining("PINCER_SECRET_KEY") },
      });
  });

  it("AUTH-06 is a failure of this one alone where the provider has no login, or what is stored is none", async () => {
    const stage = createCredentialStage();
    const expires = stage.clock.now() + 3_600_000;
    const login = { refresh: "r", access: "planted-access", expires };
    await stage.put("a-login", "mine", login, { type: "oauth" });
    await stage.put("b-key", "mine", { key: "sk-b" });
    stage.logins.toAuth = () => Promise.reject(noLogin("mine", ["openai-codex"]));
    expect(await authOf(stage, "mine", "a-login")).toEqual({
      ok: false,
      failure: { code: "auth", message: expect.stringContaining("mine has no account login") },
    });
    expect(await authOf(stage, "mine", "b-key")).toMatchObject({ ok: true });
    stage.logins.toAuth = () => Promise.reject(new TypeError("cannot read planted-access"));
    const outcome = await authOf(stage, "mine", "a-login");
    expect(outcome).toMatchObject({ ok: false, failure: { code: "auth" } });
    expect(JSON.stringify(outcome)).not.toContain("planted");
  });

  it("is nothing at all when the storage does not answer, or the asker has gone", async () => {
    const stage = createCredentialStage();
    await stage.put("me", "openai-codex", { refresh: "r", access: "a", expires: 1 }, { type: "oauth" });
    const broken = new PincerError("storage/failed", "disk");
    stage.box = { ...stage.box, unseal: () => Promise.reject(broken) };
    await expect(authOf(stage, "openai-codex", "me")).rejects.toBe(broken);
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(authOf(stage, "openai-codex", "me", gone)).rejects.toThrow("gone");
  });

  it("is a failure for one that was forgotten meanwhile", async () => {
    const stage = createCredentialStage();
    await stage.put("a", "openai", { key: "sk-a" });
    const credentials = stage.open();
    const [candidate] = await credentials.candidates(wish("openai"));
    await stage.stores.tenant("t_default").credentials.remove({ agentId: null, id: "a" });
    if (!candidate) throw new Error("no candidate");
    expect(await credentials.authOf(candidate, wish("openai"), signal)).toMatchObject({
      ok: false,
      local: true,
      failure: { code: "auth" },
    });
  });
});
