import { expect, it } from "vitest";
import { openSecrets } from "../../config/secrets.ts";
import { createTemporaryHome } from "../../config/testing/temporary-home.ts";
import { systemClock } from "../../infra/clock.ts";
import { createSay } from "../../infra/texts.ts";
import type { Caller } from "../../policy/caller.ts";
import { createConfigApi, type TakenUp } from "./config-api.ts";

async function stage(taken: TakenUp = { inForce: true, problems: [] }) {
  const home = await createTemporaryHome();
  const { environment } = home;
  const secrets = openSecrets({ home, environment });
  const api = createConfigApi({
    home,
    environment,
    editor: { home, secrets, clock: systemClock, author: "user", environment },
    takeUp: async () => taken,
    say: createSay("en"),
  });
  return { home, api };
}

const as = (role: Caller["role"]) => ({
  signal: new AbortController().signal,
  caller: {
    id: role,
    name: role,
    role,
    way: "token" as const,
    tenantId: "t",
    scope: { type: "tenant" as const },
  },
});

it("sets, shows and takes back a value, keeps the comments and says whether it is in force", async () => {
  const { home, api } = await stage();
  await home.writeConfig("{\n  // mine\n  gateway: { port: 1 },\n}\n");
  expect(await api.set({ path: "gateway.port", value: 2 })).toMatchObject({
    changed: true,
    number: 2,
    inForce: true,
    path: "gateway.port",
  });
  expect(await home.readConfig()).toBe("{\n  // mine\n  gateway: { port: 2 },\n}\n");
  expect(await api.get({ path: "gateway.port" })).toMatchObject({ value: 2, source: "file" });
  expect(await api.set({ path: "gateway.port", value: 2 })).toMatchObject({ changed: false, inForce: null });
  expect((await api.diff({})).diff).toContain("port: 2");
  expect(await api.revert({})).toMatchObject({ changed: true, kept: [] });
  expect(await api.get({ path: "gateway.port" })).toMatchObject({ value: 1 });
  expect(await api.unset({ path: "gateway.port" })).toMatchObject({ changed: true });
  await expect(api.unset({ path: "gateway.port" })).rejects.toMatchObject({ code: "config/not-found" });
  const { changes } = await api.history({ limit: 2 });
  expect(changes.map(({ summary }) => summary)).toEqual(["unset gateway.port", "revert change 2"]);
  const [, oldest] = changes;
  expect((await api.history({ before: oldest?.number ?? 0 })).changes).toHaveLength(2);
});

it("writes nothing on a dry run, and refuses there what it would refuse", async () => {
  const { home, api } = await stage();
  await home.writeConfig("{ gateway: { port: 1 } }");
  expect(await api.set({ path: "gateway.port", value: 2, dryRun: true })).toMatchObject({
    changed: true,
    number: null,
    inForce: null,
  });
  expect(await api.unset({ path: "gateway.port", dryRun: true })).toMatchObject({ changed: true });
  await expect(api.set({ path: "gateway.port", value: "x", dryRun: true })).rejects.toMatchObject({
    code: "config/bad-value",
  });
  expect(await home.readConfig()).toBe("{ gateway: { port: 1 } }");
});

it("tells why a running gateway goes on with the old one", async () => {
  const { api } = await stage({ inForce: false, problems: ["no"] });
  expect(await api.set({ path: "language", value: "zh" })).toMatchObject({
    inForce: false,
    problems: ["no"],
  });
});

it("never shows a secret, and keeps one that is set out of the file", async () => {
  const { home, api } = await stage();
  const canary = "canary-secret-0123456789";
  const stored = await api.set({ path: "models.providers.x.apiKey", value: canary, force: true });
  expect(stored.secrets).toHaveLength(1);
  const shown = JSON.stringify([stored, await api.get({}), await api.history({ diff: true })]);
  expect(shown).not.toContain(canary);
  expect(await home.readConfig()).not.toContain(canary);
  await home.writeConfig(`{ models: { providers: { x: { apiKey: "${canary}" } } } }`);
  expect(JSON.stringify(await api.get({ path: "models.providers" }))).not.toContain(canary);
});

it("TEN-02 lets an admin change the config, and not who is the owner or what runs here", async () => {
  const { home, api } = await stage();
  await home.writeConfig("{ owners: ['telegram:1'] }");
  await api.set({ path: "language", value: "zh" }, as("admin"));
  const tries = [
    () => api.set({ path: "owners", value: ["telegram:2"] }, as("admin")),
    () => api.set({ path: "owners", value: ["telegram:2"], dryRun: true }, as("admin")),
    () => api.set({ path: "gateway", value: { auth: { mode: "none" } } }, as("admin")),
    () => api.set({ path: "profiles", value: { p: { owners: ["telegram:2"] } } }, as("admin")),
    () => api.set({ path: "plugins.load", value: ["/tmp/x.js"] }, as("admin")),
    () => api.unset({ path: "owners" }, as("admin")),
    () => api.unset({ path: "owners", dryRun: true }, as("admin")),
    () => api.revert({ id: 1 }, as("admin")),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: "permission/missing" });
  for (const [path, value, key] of [
    ["approvals.keepHours", 1, "approvals.keepHours"],
    ["tools.web.trusted", ["evil.example"], "tools.web.trusted"],
    ["contacts.Bob", ["telegram:7"], "contacts.Bob"],
    ["session", { identityLinks: { Bob: ["telegram:7"] } }, "session.identityLinks.Bob"],
    ["models.discover", false, "models.discover"],
    ["notify.to", "telegram:7", "notify.to"],
  ] as const)
    await expect(api.set({ path, value }, as("admin"))).rejects.toMatchObject({
      code: "permission/missing",
      text: { parameters: { key } },
      hint: expect.stringContaining("Ask the owner"),
    });
  expect(await home.readConfig()).toContain("telegram:1");
  await api.set({ path: "owners", value: ["telegram:2"] }, as("owner"));
  await api.set({ path: "owners", value: ["telegram:3"] });
  expect(await home.readConfig()).toContain("telegram:3");
});

it("shows on a dry run what would be written, and the file and where each value comes from, without any secret", async () => {
  const { home, api } = await stage();
  await home.writeConfig('{ gateway: { port: 1, auth: { token: "literal-secret-token" } } }');
  const tried = await api.set({
    path: "channels.telegram.botToken",
    value: "123456:abcdef-token",
    dryRun: true,
  });
  expect(tried).toMatchObject({ changed: true, number: null });
  expect(tried.diff).toContain("+");
  const shown = await api.file({});
  const { sources } = await api.get({});
  expect(sources).toMatchObject({ "gateway.port": "file" });
  expect(shown.text).toContain("port: 1");
  const unset = await api.unset({ path: "gateway.port", dryRun: true });
  expect(unset.diff).toContain("-");
  expect(JSON.stringify([tried, shown, unset])).not.toMatch(/literal-secret-token|abcdef-token/);
});

it("SEC-02 shows no password that stands in an address, in the file, a diff or the history", async () => {
  const { home, api } = await stage();
  const at = (port: number) =>
    `{ // once https://u:in-a-comment@h/\n gateway: { port: ${port} }, models: { providers: {\n` +
    ` a: { baseUrl: "https://me:before-the-host@h/v1" }, b: { baseUrl: "https:\\/\\/h\\/v1?key=behind-the-mark" } } } }`;
  await home.writeConfig(at(1));
  await api.set({ path: "models.providers.a.baseUrl", value: "https://me:of-the-second@h/v1" });
  const tried = await api.set({ path: "models.providers.a.baseUrl", value: "https://h/v1", dryRun: true });
  const { text } = await api.file({});
  expect(text).toContain("https://me:***@h/v1");
  const told = JSON.stringify([text, tried, await api.diff({}), await api.history({ diff: true })]);
  expect(told).not.toMatch(/in-a-comment|before-the-host|behind-the-mark|of-the-second/);
});

it("shows nothing of a file that cannot be read, since nobody knows where its secrets are", async () => {
  const { home, api } = await stage();
  await home.writeConfig('{ gateway: { auth: { token: "literal-secret-token" ');
  expect(await api.file({})).toMatchObject({ text: null });
});
