import { expect, it } from "vitest";
import { openSecrets } from "../../config/secrets.ts";
import { createTemporaryHome } from "../../config/testing/temporary-home.ts";
import { systemClock } from "../../infra/clock.ts";
import { createSay } from "../../infra/texts.ts";
import type { Caller } from "../../policy/caller.ts";
import { createConfigDesk, type TakenUp } from "./config-desk.ts";

async function stage(taken: TakenUp = { inForce: true, problems: [] }) {
  const home = await createTemporaryHome();
  const { environment } = home;
  const secrets = openSecrets({ home, environment });
  const desk = createConfigDesk({
    home,
    environment,
    editor: { home, secrets, clock: systemClock, author: "user", environment },
    takeUp: async () => taken,
    say: createSay("en"),
  });
  return { home, desk };
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
  const { home, desk } = await stage();
  await home.writeConfig("{\n  // mine\n  gateway: { port: 1 },\n}\n");
  expect(await desk.set({ path: "gateway.port", value: 2 })).toMatchObject({
    changed: true,
    number: 2,
    inForce: true,
    path: "gateway.port",
  });
  expect(await home.readConfig()).toBe("{\n  // mine\n  gateway: { port: 2 },\n}\n");
  expect(await desk.get({ path: "gateway.port" })).toMatchObject({ value: 2, source: "file" });
  expect(await desk.set({ path: "gateway.port", value: 2 })).toMatchObject({ changed: false, inForce: null });
  expect((await desk.diff({})).diff).toContain("port: 2");
  expect(await desk.revert({})).toMatchObject({ changed: true, kept: [] });
  expect(await desk.get({ path: "gateway.port" })).toMatchObject({ value: 1 });
  expect(await desk.unset({ path: "gateway.port" })).toMatchObject({ changed: true });
  await expect(desk.unset({ path: "gateway.port" })).rejects.toMatchObject({ code: "config/not-found" });
  const { changes } = await desk.history({ limit: 2 });
  expect(changes.map(({ summary }) => summary)).toEqual(["unset gateway.port", "revert change 2"]);
  const [, oldest] = changes;
  expect((await desk.history({ before: oldest?.number ?? 0 })).changes).toHaveLength(2);
});

it("writes nothing on a dry run, and refuses there what it would refuse", async () => {
  const { home, desk } = await stage();
  await home.writeConfig("{ gateway: { port: 1 } }");
  expect(await desk.set({ path: "gateway.port", value: 2, dryRun: true })).toMatchObject({
    changed: true,
    number: null,
    inForce: null,
  });
  expect(await desk.unset({ path: "gateway.port", dryRun: true })).toMatchObject({ changed: true });
  await expect(desk.set({ path: "gateway.port", value: "x", dryRun: true })).rejects.toMatchObject({
    code: "config/bad-value",
  });
  expect(await home.readConfig()).toBe("{ gateway: { port: 1 } }");
});

it("tells why a running gateway goes on with the old one", async () => {
  const { desk } = await stage({ inForce: false, problems: ["no"] });
  expect(await desk.set({ path: "language", value: "zh" })).toMatchObject({
    inForce: false,
    problems: ["no"],
  });
});

it("never shows a secret, and keeps one that is set out of the file", async () => {
  const { home, desk } = await stage();
  const canary = "canary-secret-0123456789";
  const stored = await desk.set({ path: "models.providers.x.apiKey", value: canary, force: true });
  expect(stored.secrets).toHaveLength(1);
  const shown = JSON.stringify([stored, await desk.get({}), await desk.history({ diff: true })]);
  expect(shown).not.toContain(canary);
  expect(await home.readConfig()).not.toContain(canary);
  await home.writeConfig(`{ models: { providers: { x: { apiKey: "${canary}" } } } }`);
  expect(JSON.stringify(await desk.get({ path: "models.providers" }))).not.toContain(canary);
});

it("TEN-02 lets an admin change the config, and not who is the owner or what runs here", async () => {
  const { home, desk } = await stage();
  await home.writeConfig("{ owners: ['telegram:1'] }");
  await desk.set({ path: "language", value: "zh" }, as("admin"));
  const tries = [
    () => desk.set({ path: "owners", value: ["telegram:2"] }, as("admin")),
    () => desk.set({ path: "owners", value: ["telegram:2"], dryRun: true }, as("admin")),
    () => desk.set({ path: "gateway", value: { auth: { mode: "none" } } }, as("admin")),
    () => desk.set({ path: "profiles", value: { p: { owners: ["telegram:2"] } } }, as("admin")),
    () => desk.set({ path: "plugins.load", value: ["/tmp/x.js"] }, as("admin")),
    () => desk.unset({ path: "owners" }, as("admin")),
    () => desk.unset({ path: "owners", dryRun: true }, as("admin")),
    () => desk.revert({ id: 1 }, as("admin")),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: "permission/missing" });
  expect(await home.readConfig()).toContain("telegram:1");
  await desk.set({ path: "owners", value: ["telegram:2"] }, as("owner"));
  await desk.set({ path: "owners", value: ["telegram:3"] });
  expect(await home.readConfig()).toContain("telegram:3");
});

it("shows on a dry run what would be written, and the file and where each value comes from, without any secret", async () => {
  const { home, desk } = await stage();
  await home.writeConfig('{ gateway: { port: 1, auth: { token: "literal-secret-token" } } }');
  const tried = await desk.set({
    path: "channels.telegram.botToken",
    value: "123456:abcdef-token",
    dryRun: true,
  });
  expect(tried).toMatchObject({ changed: true, number: null });
  expect(tried.diff).toContain("+");
  const shown = await desk.file({});
  const { sources } = await desk.get({});
  expect(sources).toMatchObject({ "gateway.port": "file" });
  expect(shown.text).toContain("port: 1");
  const unset = await desk.unset({ path: "gateway.port", dryRun: true });
  expect(unset.diff).toContain("-");
  expect(JSON.stringify([tried, shown, unset])).not.toMatch(/literal-secret-token|abcdef-token/);
});

it("SEC-02 shows no password that stands in an address, in the file, a diff or the history", async () => {
  const { home, desk } = await stage();
  const at = (port: number) =>
    `{ // once https://u:in-a-comment@h/\n gateway: { port: ${port} }, models: { providers: {\n` +
    ` a: { baseUrl: "https://me:before-the-host@h/v1" }, b: { baseUrl: "https:\\/\\/h\\/v1?key=behind-the-mark" } } } }`;
  await home.writeConfig(at(1));
  await desk.set({ path: "models.providers.a.baseUrl", value: "https://me:of-the-second@h/v1" });
  const tried = await desk.set({ path: "models.providers.a.baseUrl", value: "https://h/v1", dryRun: true });
  const { text } = await desk.file({});
  expect(text).toContain("https://me:***@h/v1");
  const told = JSON.stringify([text, tried, await desk.diff({}), await desk.history({ diff: true })]);
  expect(told).not.toMatch(/in-a-comment|before-the-host|behind-the-mark|of-the-second/);
});

it("shows nothing of a file that cannot be read, since nobody knows where its secrets are", async () => {
  const { home, desk } = await stage();
  await home.writeConfig('{ gateway: { auth: { token: "literal-secret-token" ');
  expect(await desk.file({})).toMatchObject({ text: null });
});
