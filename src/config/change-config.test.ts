import { execFile } from "node:child_process";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { changeConfig, noteHandEdit, revertConfig } from "./change-config.ts";
import { maskText, openConfigHistory } from "./config-history.ts";
import { setInText } from "./edit-config.ts";
import { tryLock } from "./home-lock.ts";
import { loadConfig } from "./load-config.ts";
import { createTemporaryHome, type TemporaryHome } from "./testing/temporary-home.ts";

const clock = createHandClock();
const setPort = (home: TemporaryHome, port: number) =>
  changeConfig({
    home,
    clock,
    author: "user",
    summary: `set port ${port}`,
    edit: (text) => setInText(text, ["gateway", "port"], port),
  });
const historyOf = (home: TemporaryHome) => openConfigHistory(home.configHistoryDir).list();

it("keeps every change as a file with number, time, author, summary, diff and text", async () => {
  const home = await createTemporaryHome();
  await setPort(home, 1);
  await setPort(home, 2);
  expect(await readdir(home.configHistoryDir)).toEqual([
    "000001-2026-01-01T12-00-00-000Z-user.json",
    "000002-2026-01-01T12-00-00-000Z-user.json",
  ]);
  const [, second] = await historyOf(home);
  expect(second).toMatchObject({
    number: 2,
    author: "user",
    summary: "set port 2",
    text: await home.readConfig(),
    masked: [],
  });
  expect(second?.diff).toContain("-  gateway: { port: 1 },");
  expect(second?.diff).toContain("+  gateway: { port: 2 },");
  expect((await stat(home.configFile)).mode & 0o777).toBe(0o600);
});

it("records nothing when nothing changes", async () => {
  const home = await createTemporaryHome();
  await setPort(home, 1);
  expect(await setPort(home, 1)).toBeUndefined();
  expect(await historyOf(home)).toHaveLength(1);
});

it("writes nothing when the edit refuses", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ broken");
  await expect(setPort(home, 1)).rejects.toThrow(expect.objectContaining({ code: "config/unparsable" }));
  expect(await home.readConfig()).toBe("{ broken");
  expect(await historyOf(home)).toEqual([]);
});

it("notices edits made by hand, at a load and before a change", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 1 } }");
  await loadConfig({ home, environment: {} });
  await loadConfig({ home, environment: {} });
  await home.writeConfig("{ gateway: { port: 2 } }");
  await setPort(home, 3);
  expect((await historyOf(home)).map(({ author, summary }) => [author, summary])).toEqual([
    ["hand", "found as it was"],
    ["hand", "edited by hand"],
    ["user", "set port 3"],
  ]);
});

it("takes no text for a hand edit that was read before somebody else's change", async () => {
  const home = await createTemporaryHome();
  await setPort(home, 1);
  const before = await home.readConfig();
  await setPort(home, 2);
  await noteHandEdit(home, before, clock);
  expect((await historyOf(home)).map(({ author }) => author)).toEqual(["user", "user"]);
});

it("leaves recording a manual edit to the holder of the lock, without waiting", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 1 } }");
  const release = await tryLock(home.root);
  await noteHandEdit(home, await home.readConfig(), clock);
  const loaded = await loadConfig({ home, environment: {} });
  release?.();
  expect(await historyOf(home)).toEqual([]);
  expect(loaded).toMatchObject({ mode: "normal", problems: [] });
  await noteHandEdit(home, await home.readConfig(), clock);
  expect(await historyOf(home)).toHaveLength(1);
});

it("undoes the last change, and the undoing too", async () => {
  const home = await createTemporaryHome();
  await setPort(home, 1);
  const one = await home.readConfig();
  await setPort(home, 2);
  const two = await home.readConfig();
  await revertConfig({ home, clock, number: undefined });
  expect(await home.readConfig()).toBe(one);
  await revertConfig({ home, clock, number: undefined });
  expect(await home.readConfig()).toBe(two);
  await revertConfig({ home, clock, number: 1 });
  await expect(home.readConfig()).rejects.toThrow("ENOENT");
  await revertConfig({ home, clock, number: 1 });
  expect((await historyOf(home)).at(-1)).toMatchObject({
    number: 6,
    author: "user",
    text: null,
    summary: "go back to before change 1",
  });
  await expect(revertConfig({ home, clock, number: 99 })).rejects.toThrow(
    expect.objectContaining({ code: "config/not-found" }),
  );
});

it("undoes a hand edit that cannot be parsed, and puts the text aside", async () => {
  const home = await createTemporaryHome();
  await setPort(home, 1);
  const good = await home.readConfig();
  await home.writeConfig("{ my hard work");
  const { putAside } = await revertConfig({ home, clock, number: undefined });
  expect(await home.readConfig()).toBe(good);
  expect(await readFile(putAside ?? "", "utf8")).toBe("{ my hard work");
  expect((await stat(putAside ?? "")).mode & 0o777).toBe(0o600);
});

it("keeps literal secrets out of the history, and gives them back on a revert", async () => {
  const home = await createTemporaryHome();
  const withSecret = (port: number) =>
    `{ gateway: { port: ${port} }, channels: { telegram: { botToken: "planted-secret" } } } // token: "planted-too"`;
  await home.writeConfig(withSecret(1));
  await setPort(home, 2);
  expect(JSON.stringify(await historyOf(home))).not.toContain("planted");
  const { lostSecrets } = await revertConfig({ home, clock, number: undefined });
  expect(lostSecrets).toEqual([]);
  expect(await home.readConfig()).toContain(
    '{ gateway: { port: 1 }, channels: { telegram: { botToken: "planted-secret" } } }',
  );
});

it("writes no mask and no other account's secret into a list, and refuses when that leaves nothing to revert", async () => {
  const home = await createTemporaryHome();
  const config = (port: number, ...tokens: string[]) =>
    JSON.stringify({ gateway: { port }, channels: { x: { tokens } } });
  await home.writeConfig(config(1, "planted-1"));
  await loadConfig({ home, environment: {} });
  await home.writeConfig(config(2, "planted-2", "planted-1"));
  expect(await revertConfig({ home, clock, number: undefined })).toMatchObject({
    kept: ["channels.x.tokens"],
  });
  expect(await home.readConfig()).toBe(config(1, "planted-2", "planted-1"));
  const changes = await historyOf(home);
  await home.writeConfig(config(1, "planted-3"));
  const refused = revertConfig({ home, clock, number: undefined });
  await expect(refused).rejects.toThrow(
    expect.objectContaining({ code: "config/not-found", hint: expect.stringContaining("by hand") }),
  );
  expect(await home.readConfig()).toBe(config(1, "planted-3"));
  expect(await historyOf(home)).toHaveLength(changes.length + 1);
});

it("says which secrets are lost when nobody has them any more", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig('{ channels: { telegram: { botToken: "planted-secret", enabled: false } } }');
  await changeConfig({ home, clock, author: "user", summary: "empty", edit: () => "{}" });
  const { lostSecrets } = await revertConfig({ home, clock, number: undefined });
  expect(lostSecrets).toEqual(["channels.telegram.botToken"]);
  expect(await home.readConfig()).toBe("{ channels: { telegram: { enabled: false } } }");
});

it("masks a secret that stands twice, in a profile, in a list or under a connector's own key", () => {
  const text = `{ channels: { x: { botToken: "planted1", botToken: "planted2", clientSecret: "planted3", deep: [{ api_key: "planted4" }], odd: "sk-planted12345", ok: "plain" } },
    profiles: { w: { models: { providers: { p: { apiKey: "planted5", headers: { Authorization: "planted6" } } } } } } }`;
  const masked = maskText(text);
  expect(masked?.text).not.toContain("planted");
  expect(masked?.text).toContain('ok: "plain"');
});

it("passes over damaged records and never uses a number twice", async () => {
  const home = await createTemporaryHome();
  await setPort(home, 1);
  await writeFile(join(home.configHistoryDir, "000007-x-user.json"), "{ damaged");
  await setPort(home, 2);
  expect((await historyOf(home)).map(({ number }) => number)).toEqual([1, 8]);
});

it("loses no update when many processes change the config at once", async () => {
  const home = await createTemporaryHome();
  const here = (file: string) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
  const { root, configFile, lastGoodFile, configHistoryDir } = home;
  const script = `
    const { changeConfig } = await import(${here("change-config.ts")});
    const { setInText } = await import(${here("edit-config.ts")});
    const { systemClock } = await import(${here("../infra/clock.ts")});
    for (let turn = 0; turn < 5; turn++) {
      const name = process.argv[1] + turn;
      await changeConfig({ home: ${JSON.stringify({ root, configFile, lastGoodFile, configHistoryDir })}, clock: systemClock, author: "user", summary: name,
        edit: (text) => setInText(text, ["channels", name], { enabled: true }) });
    }`;
  const names = ["a", "b", "c", "d"];
  await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, name])),
  );
  const { config } = await loadConfig({ home, environment: {} });
  expect(Object.keys(config.channels).sort()).toEqual(
    names.flatMap((name) => [0, 1, 2, 3, 4].map((turn) => name + turn)),
  );
  const changes = await historyOf(home);
  expect(changes.map(({ number, author }) => [number, author])).toEqual(
    changes.map((_, index) => [index + 1, "user"]),
  );
  expect(changes).toHaveLength(20);
}, 60_000);
