import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { changeConfig, revertConfig } from "./change-config.ts";
import { defaultConfig } from "./default-config.ts";
import { loadConfig } from "./load-config.ts";
import { describeProblem } from "./loaded-config.ts";
import { openSecrets } from "./secrets.ts";
import { setConfig, unsetConfig, writeMigration } from "./set-config.ts";
import { olderConfig } from "./testing/samples.ts";
import { createTemporaryHome, type TemporaryHome } from "./testing/temporary-home.ts";

const clock = createHandClock();
const load = (home: TemporaryHome) => loadConfig({ home, environment: home.environment });
const editorOf = (home: TemporaryHome) => ({
  home,
  secrets: openSecrets({ home, environment: home.environment }),
  clock,
  author: "user" as const,
});
const deny = (home: TemporaryHome, ...tools: string[]) =>
  setConfig(editorOf(home), [{ path: ["tools", "deny"], value: tools }]);
const pipe = (path: string) => execFileSync("mkfifo", [path]);

it("goes by what was set last when the file breaks right after", async () => {
  const home = await createTemporaryHome();
  await deny(home, "time_now");
  await home.writeConfig("{ broken");
  const loaded = await load(home);
  expect(loaded).toMatchObject({ mode: "safe", fallback: "last-good" });
  expect(loaded.config.tools.deny).toEqual(["time_now"]);
});

it("keeps the last good text at every change: unset, migration, revert", async () => {
  const home = await createTemporaryHome();
  const kept = () => readFile(home.lastGoodFile, "utf8");
  await home.writeConfig(olderConfig);
  await writeMigration({ home, clock });
  expect(await kept()).toBe(await home.readConfig());
  await deny(home, "a");
  await unsetConfig(editorOf(home), ["tools"]);
  expect(await kept()).toBe(await home.readConfig());
  await revertConfig({ home, clock, number: undefined });
  expect(await kept()).toBe(await home.readConfig());
  expect(await kept()).toContain("deny");
  const all = (await home.allFiles()).size;
  await revertConfig({ home, clock, number: 1 });
  await expect(kept()).rejects.toThrow("ENOENT");
  expect((await home.allFiles()).size).toBe(all - 1);
});

it("does not keep a text with faults as the last good one", async () => {
  const home = await createTemporaryHome();
  await deny(home, "a");
  const good = await home.readConfig();
  await home.writeConfig("{ gateway: { port: 'x' } }");
  await setConfig(editorOf(home), [{ path: ["language"], value: "en" }]);
  expect(await readFile(home.lastGoodFile, "utf8")).toBe(good);
});

it.each(["absent", "broken", "a directory", "a pipe"])(
  "takes the newest usable text of the history when the last good one is %s, without its secrets",
  async (state) => {
    const home = await createTemporaryHome();
    await home.writeConfig('{ channels: { x: { botToken: "planted-secret", apiRoot: "here" } } }');
    await deny(home, "time_now");
    await rm(home.lastGoodFile);
    if (state === "broken") await writeFile(home.lastGoodFile, "{ gateway: 5 }");
    if (state === "a directory") await mkdir(home.lastGoodFile);
    if (state === "a pipe") pipe(home.lastGoodFile);
    await home.writeConfig("{ broken");
    const { config, fallback } = await load(home);
    expect(fallback).toBe("last-good");
    expect(config.tools.deny).toEqual(["time_now"]);
    expect(config.channels["x"]).toMatchObject({ apiRoot: "here" });
    expect(config.channels["x"]).not.toHaveProperty("botToken");
  },
);

it("goes by the defaults when the config was taken away before the file broke", async () => {
  const home = await createTemporaryHome();
  await deny(home, "time_now");
  await revertConfig({ home, clock, number: undefined });
  await home.writeConfig("{ broken");
  expect(await load(home)).toMatchObject({ fallback: "defaults", config: defaultConfig });
});

it("passes over records that cannot be used any more", async () => {
  const home = await createTemporaryHome();
  await deny(home, "time_now");
  const name = "000009-x-user.json";
  const record = {
    number: 9,
    text: "{ gateway: 5 }",
    masked: [],
    diff: "",
    summary: "",
    author: "user",
    time: "",
  };
  await writeFile(join(home.configHistoryDir, name), JSON.stringify(record));
  await rm(home.lastGoodFile);
  await home.writeConfig("{ broken");
  expect((await load(home)).config.tools.deny).toEqual(["time_now"]);
});

it("never waits for a pipe in the place of a file", async () => {
  const home = await createTemporaryHome();
  await deny(home, "time_now");
  await rm(home.configFile);
  pipe(home.configFile);
  const loaded = await load(home);
  expect(loaded).toMatchObject({ mode: "safe", fallback: "last-good", problems: [{ type: "unreadable" }] });
  expect(loaded.problems[0]?.message).toContain("not a regular file");
  expect(loaded.config.tools.deny).toEqual(["time_now"]);
  await expect(deny(home)).rejects.toThrow(expect.objectContaining({ code: "storage/unavailable" }));

  const { secrets } = editorOf(home);
  pipe(home.secretKeyFile);
  await expect(secrets.set("a", "b")).rejects.toThrow(expect.objectContaining({ code: "secret/locked" }));
  pipe(home.secretsFile);
  await expect(secrets.list()).rejects.toThrow(expect.objectContaining({ code: "secret/locked" }));
});

it("starts in safe mode when the file is a link that leads nowhere", async () => {
  const home = await createTemporaryHome();
  await symlink(join(home.root, "nowhere"), home.configFile);
  const loaded = await load(home);
  expect(loaded).toMatchObject({ mode: "safe", fallback: "defaults" });
  expect(loaded.problems.map(describeProblem)).toEqual([`${home.configFile}: this is a broken link`]);
});

it("names the last good file for what is odd in it", async () => {
  const home = await createTemporaryHome();
  await writeFile(home.lastGoodFile, "{ gatewya: 1 }");
  await mkdir(home.configFile);
  const { problems, file } = await load(home);
  expect(problems.map((problem) => problem.file)).toEqual([home.configFile, home.lastGoodFile]);
  expect(file).toBe(home.configFile);
});

it("leaves no older text as the last good one where the new one cannot be kept", async () => {
  const home = await createTemporaryHome();
  await deny(home, "old");
  await rm(home.lastGoodFile);
  await symlink(join(home.root, "nowhere"), home.lastGoodFile);
  await deny(home, "time_now");
  await changeConfig({ home, clock, author: "user", summary: "same", edit: (text) => text ?? "" });
  await home.writeConfig("{ broken");
  expect((await load(home)).config.tools.deny).toEqual(["time_now"]);
});
