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
