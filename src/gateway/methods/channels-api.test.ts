import { SendError, defineChannel, type Channel } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../config/load-config.ts";
import { openSecrets } from "../../config/secrets.ts";
import { createTemporaryHome } from "../../config/testing/temporary-home.ts";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { included } from "../../app/connectors.ts";
import { createChannelsApi } from "./channels-api.ts";
import type { RunningGateway } from "./control-parts.ts";

const pigeon = (more: Partial<Channel["setUp"]> = {}) =>
  defineChannel({
    id: "pigeon",
    name: "Pigeon Post",
    config: Type.Object({
      token: Type.String({ minLength: 4, description: "Token of the pigeon." }),
      loft: Type.String({ default: "north", description: "Where it lives." }),
      speed: Type.Optional(Type.Integer()),
    }),
    traits: { textLimit: 100, idempotentSend: true },
    connect: () => Promise.reject(new SendError("unavailable", "not here")),
    setUp: {
      steps: { en: ["Catch a pigeon."], zh: ["捉一只鸽子。"] },
      test: async ({ token }) =>
        token === "good-token" ? { ok: true, name: "@coo" } : { ok: false, problem: `${token} is unknown` },
      claimLink: ({ name }, code) => `https://pigeon.example/${name}?start=${code}`,
      ...more,
    },
  });

async function stage({
  connector = pigeon(),
  ...running
}: Partial<Pick<RunningGateway, "connection" | "channels">> & { connector?: Channel } = {}) {
  const home = await createTemporaryHome();
  const { environment } = home;
  await home.writeConfig("{}");
  const secrets = openSecrets({ home, environment });
  const clock = createHandClock();
  const redactor = createRedactor();
  const ids = createIds(() => clock.now());
  const stores = createMemoryStores({ clock, ids }).tenant("acme");
  let { config } = await loadConfig({ home, environment, profile: undefined });
  const api = createChannelsApi({
    openedHome: {
      stores,
      clock,
      home,
      ids,
      tenantId: "acme",
      workspaceId: "w",
      defaultAgentId: "main",
      foundation: { secrets },
    },
    config: () => config,
    redactor,
    connectors: included,
    editor: { home, secrets, clock, author: "user", environment },
    async takeUp() {
      ({ config } = await loadConfig({ home, environment, profile: undefined }));
      return { inForce: true, problems: [] };
    },
    inLanguage: (language) => createSay(language ?? "en"),
    running: {
      reload: async () => [],
      channels: () => [],
      wake() {},
      connector: (id) => (id === connector.id ? connector : undefined),
      ...running,
    },
  });
  return { home, api, secrets, redactor, stores, clock };
}

const keys = { token: "good-token" };

const admin = {
  signal: new AbortController().signal,
  caller: {
    id: "admin",
    name: "admin",
    role: "admin",
    way: "token",
    tenantId: "acme",
    scope: { type: "tenant" },
  },
} as const;

describe("setting up a channel", () => {
  it("CLI-22 says what a connector needs, which of it is secret, and where to get it, in both languages", async () => {
    const { api } = await stage();
    expect((await api.kinds({ channel: "pigeon" })).kinds).toEqual([
      {
        channel: "pigeon",
        name: "Pigeon Post",
        keys: [
          { name: "token", description: "Token of the pigeon.", required: true, secret: true, type: "text" },
          {
            name: "loft",
            description: "Where it lives.",
            required: false,
            secret: false,
            type: "text",
            usual: "north",
            forOwner: true,
          },
          {
            name: "speed",
            description: "",
            required: false,
            secret: false,
            type: "number",
            forOwner: true,
          },
        ],
        steps: ["Catch a pigeon."],
        canTest: true,
      },
    ]);
    const { kinds } = await api.kinds({ channel: "pigeon", language: "zh" });
    expect(kinds[0]?.steps).toEqual(["捉一只鸽子。"]);
    await expect(api.kinds({ channel: "fax" })).rejects.toMatchObject({ code: "usage/not-found" });
    expect((await api.kinds({})).kinds.map(({ channel }) => channel)).toContain("local");
  });

  it("CLI-22 tries the keys, writes them with the secret in the store, and says whether they are in force", async () => {
    const { home, api, secrets } = await stage();
    const added = await api.add({
      channel: "pigeon",
      keys: { ...keys, loft: "south", dmPolicy: "allowlist" },
    });
    expect(added).toMatchObject({
      channel: "pigeon",
      accountId: "default",
      name: "@coo",
      claimLink: "https://pigeon.example/@coo?start=CODE",
      inForce: true,
    });
    const text = await home.readConfig();
    expect(text).not.toContain("good-token");
    expect(text).toContain("south");
    expect(await secrets.resolve(`secret:${added.secrets[0]?.name}`)).toBe("good-token");
  });

  it("CLI-22 writes nothing where the network says no, does not answer, or fails, and tells no secret", async () => {
    const { home, api, redactor } = await stage();
    redactor.add("token", "evil-token");
    await expect(api.add({ channel: "pigeon", keys: { token: "evil-token" } })).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: expect.not.stringContaining("evil-token"),
    });
    expect(await home.readConfig()).toBe("{}");
    expect(await api.test({ channel: "pigeon", keys })).toMatchObject({ ok: true, tested: true });
    const failing = await stage({ connector: pigeon({ test: () => Promise.reject(new Error("no route")) }) });
    expect(await failing.api.test({ channel: "pigeon", keys })).toEqual({ ok: false, problem: "no route" });
    const hanging = await stage({ connector: pigeon({ test: () => new Promise(() => {}) }) });
    const answer = hanging.api.test({ channel: "pigeon", keys });
    await expect.poll(() => hanging.clock.sleeping()).toBe(1);
    await hanging.clock.advance(15_000);
    expect(await answer).toEqual({ ok: false, problem: "no answer within 15 s" });
    expect(await failing.api.add({ channel: "pigeon", keys, test: false })).toMatchObject({
      changed: true,
      name: null,
    });
  });

  it("UI-01 says which key is wrong: one that has another form is not tried at all", async () => {
    const token = Type.String({ pattern: "^[0-9]+$", description: "Digits." });
    let tries = 0;
    const test = async () => ({ ok: false as const, problem: "unknown", key: "token", tries: ++tries });
    const connector = { ...pigeon({ test }), config: Type.Object({ token }) };
    const { api } = await stage({ connector });
    expect(await api.test({ channel: "pigeon", keys: { token: "wrong" } })).toEqual({
      ok: false,
      key: "token",
      isForm: true,
      problem: "token has the wrong form: Digits.",
    });
    expect(tries).toBe(0);
    expect(await api.test({ channel: "pigeon", keys: { token: "123" } })).toEqual({
      ok: false,
      key: "token",
      problem: "unknown",
    });
  });

  it("CLI-22 refuses keys that nobody reads and values that do not fit, without saying them", async () => {
    const { home, api } = await stage();
    for (const bad of [
      { ...keys, accounts: "x" },
      { ...keys, enabled: false },
      { ...keys, constructor: "x" },
    ])
      await expect(api.add({ channel: "pigeon", keys: bad })).rejects.toMatchObject({
        code: "usage/bad-argument",
      });
    await expect(api.add({ channel: "pigeon", keys: { token: "abc" } })).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: expect.not.stringContaining("abc"),
    });
    await expect(api.add({ channel: "pigeon", keys: {} })).rejects.toMatchObject({
      code: "usage/bad-argument",
    });
    expect(await home.readConfig()).toBe("{}");
  });

  it("TEN-02 sends nothing to an address that an admin names, and writes none", async () => {
    const asked: unknown[] = [];
    const test = async (config: unknown) => {
      asked.push(config);
      return { ok: true, name: "@coo" } as const;
    };
    const { home, api, secrets } = await stage({ connector: pigeon({ test }) });
    await secrets.set("bank", "very-secret-number");
    const evil = { token: "secret:bank", loft: "evil.example" };
    const refusal = { code: "permission/missing", message: expect.stringContaining("loft") };
    await expect(api.test({ channel: "pigeon", keys: evil }, admin)).rejects.toMatchObject(refusal);
    await expect(api.add({ channel: "pigeon", keys: evil }, admin)).rejects.toMatchObject(refusal);
    await expect(api.add({ channel: "pigeon", keys: evil, test: false }, admin)).rejects.toMatchObject(
      refusal,
    );
    expect(asked).toEqual([]);
    expect(await home.readConfig()).toBe("{}");
    await api.add({ channel: "pigeon", keys: { ...keys, dmPolicy: "open" } }, admin);
    expect(asked).toEqual([{ token: "good-token", loft: "north" }]);
  });

  it("CLI-22 tries new keys together with those that stay", async () => {
    const asked: unknown[] = [];
    const test = async (config: unknown) => {
      asked.push(config);
      return { ok: true, name: "@coo" } as const;
    };
    const { api } = await stage({ connector: pigeon({ test }) });
    await api.add({ channel: "pigeon", keys: { ...keys, loft: "south" } });
    await api.add({ channel: "pigeon", keys: { token: "other-token" }, replace: true });
    await api.add({ channel: "pigeon", accountId: "work", keys });
    expect(asked.slice(1)).toEqual([
      { token: "other-token", loft: "south" },
      { token: "good-token", loft: "south" },
    ]);
  });

  it("CLI-22 does not write over an account unless asked, and a second one leaves the first as it is", async () => {
    const { home, api } = await stage();
    await api.add({ channel: "pigeon", keys });
    await expect(api.add({ channel: "pigeon", keys })).rejects.toMatchObject({ code: "usage/bad-argument" });
    await api.add({ channel: "pigeon", keys: { ...keys, loft: "west" }, replace: true });
    await api.add({ channel: "pigeon", accountId: "work", keys: { ...keys, loft: "east" } });
    const { channels } = await api.list({});
    expect(channels.map(({ accountId, enabled }) => [accountId, enabled])).toEqual([
      ["default", true],
      ["work", true],
    ]);
    expect(await home.readConfig()).toMatch(/west[^]*east/);
    expect(await api.remove({ channel: "pigeon", accountId: "work" })).toMatchObject({
      accountIds: ["work"],
    });
    expect((await api.list({})).channels.map(({ accountId }) => accountId)).toEqual(["default"]);
  });

  it("CLI-22 takes an account out and keeps its secret, and says so", async () => {
    const { home, api, secrets } = await stage();
    const { secrets: stored } = await api.add({ channel: "pigeon", keys });
    const removed = await api.remove({ channel: "pigeon" });
    expect(removed).toMatchObject({ accountIds: ["default"], keptSecrets: [stored[0]?.name], inForce: true });
    expect(await secrets.resolve(`secret:${stored[0]?.name}`)).toBe("good-token");
    expect(await home.readConfig()).not.toContain("pigeon");
    await expect(api.remove({ channel: "pigeon" })).rejects.toMatchObject({ code: "usage/not-found" });
  });

  it("PLUG-05 an ability is there when its method is, and something else serves where it is not", async () => {
    const bare = { send: async () => ({}), close: async () => {} };
    const able = {
      ...bare,
      edit: async () => {},
      probe: async () => ({ ok: true }),
      listPeersLive: async () => [{ id: "1", name: "Ann" }],
      listGroupsLive: async () => [{ id: "-1", name: "Loft" }],
      resolveAllowlist: async (names: string[]) =>
        names.map((name) => (name === "@loft" ? { name, id: "-1" } : { name })),
    };
    const state = { channel: "pigeon", accountId: "default", state: "connected", since: "" };
    const without = await stage({ connection: () => bare, channels: () => [state] });
    const withAll = await stage({ connection: () => able, channels: () => [state] });
    for (const { api } of [without, withAll])
      await api.add({ channel: "pigeon", keys: { ...keys, groups: ["-7"] } });
    const asked = { channel: "pigeon", kind: "groups" } as const;
    expect((await withAll.api.status({})).channels[0]?.abilities).toEqual([
      "edit",
      "probe",
      "listPeersLive",
      "listGroupsLive",
      "resolveAllowlist",
    ]);
    expect(await withAll.api.peers(asked)).toMatchObject({ peers: [{ id: "-1" }], source: "network" });
    expect(await withAll.api.peers({ ...asked, names: ["@loft", "@nobody"] })).toEqual({
      peers: [{ id: "-1", name: "@loft" }],
      source: "network",
    });
    expect((await without.api.status({})).channels[0]?.abilities).toEqual([]);
    expect(await without.api.peers(asked)).toMatchObject({ peers: [{ id: "-7" }], source: "known" });
    expect(await without.api.peers({ ...asked, names: ["@loft"] })).toEqual({ peers: [], source: "known" });
    const untried = await stage({ connector: { ...pigeon(), setUp: { steps: { en: [], zh: [] } } } });
    expect((await untried.api.kinds({ channel: "pigeon" })).kinds).toMatchObject([{ canTest: false }]);
    expect(await untried.api.test({ channel: "pigeon", keys })).toMatchObject({ ok: true, tested: false });
  });

  it("CHAN-19 lists people and groups as the network tells them, or as they are known here", async () => {
    const network = await stage({
      connection: () => ({
        send: async () => ({}),
        close: async () => {},
        listPeersLive: async () => [{ id: "1", name: "Ann" }],
      }),
    });
    await network.api.add({ channel: "pigeon", keys: { ...keys, allowFrom: ["42"], groups: ["7"] } });
    expect(await network.api.peers({ channel: "pigeon", kind: "people" })).toEqual({
      peers: [{ id: "1", name: "Ann" }],
      source: "network",
    });
    const groups = { peers: [{ id: "7", name: "7" }], source: "known" };
    expect(await network.api.peers({ channel: "pigeon", kind: "groups" })).toEqual(groups);
    const { api, stores } = await stage();
    await api.add({ channel: "pigeon", keys: { ...keys, allowFrom: ["42"] } });
    await stores.pairing.allow([{ channel: "pigeon", accountId: null, senderId: "43", by: "owner" }]);
    const { peers } = await api.peers({ channel: "pigeon", kind: "people" });
    expect(peers.map(({ id }) => id)).toEqual(["42", "43"]);
    await expect(api.peers({ channel: "fax", kind: "people" })).rejects.toMatchObject({
      code: "usage/not-found",
    });
  });
});
