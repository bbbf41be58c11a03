import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import * as backup from "./backup.ts";
import * as rules from "./rules.ts";

let root: string;
let environment: Record<string, string>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-backup-"));
  environment = { HOME: root, PINCER_HOME: join(root, "home") };
});
afterEach(() => rm(root, { recursive: true, force: true }));

const run = (...args: string[]) => runCommand(backup, ["backup", ...args], { environment, cwd: root });

it("makes, checks, lists and restores a backup", async () => {
  const made = await run("create", "kept");
  expect(made).toMatchObject({ status: 0, out: `${join(root, "kept")}\n` });
  expect(made.err).toContain("The backup is complete");
  expect(made.err).toContain("The workdir is not included");
  expect((await run("create", "--help")).out).toContain("the workdir is not included");
  expect(await run("verify", "kept")).toMatchObject({ status: 0, out: `${join(root, "kept")} is intact.\n` });
  expect((await run("list")).err).toContain("There are no backups yet");
  const restored = await run("restore", "kept", "--yes", "--json");
  expect(restored.status).toBe(0);
  expect(restored.json()).toMatchObject({ directory: join(root, "kept"), transcriptsSetAside: 0 });
  const listed = (await run("list", "--json")).json<{ backups: Array<{ name: string }> }>();
  expect(listed.backups.map(({ name }) => name)).toEqual([expect.stringMatching(/^before-restore-/)]);
});

it("prints one JSON document for create", async () => {
  const made = await run("create", "--json");
  expect(made.err).toBe("");
  expect(made.json()).toMatchObject({ manifest: { formatVersion: 1, pincerVersion: "0.0.0-test" } });
});

it("says whether the key of the secrets is in it", async () => {
  await run("create", "empty");
  await writeFile(join(root, "home", "secrets.json"), "{}", { mode: 0o600 });
  await writeFile(join(root, "home", "secret.key"), "k", { mode: 0o600 });
  expect((await run("create", "without")).err).toContain("without their key");
  expect((await run("create", "with", "--with-key")).err).toContain("It contains the key");
});

it("ends with 1 and a clear message for a damaged backup", async () => {
  await run("create", "kept");
  await rm(join(root, "kept", "core.db"));
  const verified = await run("verify", "kept");
  expect(verified).toMatchObject({ status: 1, out: "" });
  expect(verified.err).toContain("core.db is missing.");
  expect((await run("verify", "kept", "--json")).json()).toMatchObject({
    ok: false,
    problems: ["core.db is missing."],
  });
  const restored = await run("restore", "kept", "--yes");
  expect(restored.status).toBe(1);
  expect(restored.err).toContain("Nothing was changed");
});

it("says what differs from the policy of before, and where to look", async () => {
  const setRule = (text: string) =>
    runCommand(rules, ["rules", "add", "--yes", text], { environment, cwd: root });
  await setRule("be brief");
  await run("create", "kept");
  await setRule("never run commands");
  const { err } = await run("restore", "kept", "--yes");
  expect(err).toContain("Rules set since and gone: 1;");
  expect(err).toContain("`pincer rules list`, `pincer access list` and `pincer pairing list`");
  expect((await run("restore", "kept", "--yes")).err).not.toContain("Rules, people");
});

it("restores nothing without a yes", async () => {
  await run("create", "kept");
  const refused = await run("restore", "kept");
  expect(refused).toMatchObject({ status: 2, out: "" });
  expect(await readdir(join(root, "home"))).not.toContain("backups");
});

it("refuses to overwrite, and says so as JSON where asked", async () => {
  await run("create", "kept");
  const again = await run("create", "kept", "--json");
  expect(again.status).toBe(1);
  expect(again.json()).toMatchObject({ error: { code: "backup/refused" } });
});

it("shows progress on a terminal only, and takes it away again", async () => {
  const terminal = createFakeTerminal({ errIsTerminal: true });
  await runCommand(backup, ["backup", "create", "kept"], { environment, cwd: root, terminal });
  const verifying = createFakeTerminal({ errIsTerminal: true });
  const ran = await runCommand(backup, ["backup", "verify", "kept"], {
    environment,
    cwd: root,
    terminal: verifying,
  });
  expect(ran.err).toContain("checking 100%");
  expect(ran.err.endsWith("\r\u001b[K")).toBe(true);
});

it("says in Chinese what is wrong with a backup", async () => {
  await run("create", "kept");
  await rm(join(root, "kept", "core.db"));
  const inChinese = (...args: string[]) =>
    runCommand(backup, ["backup", ...args], {
      environment: { ...environment, PINCER_LANG: "zh" },
      cwd: root,
    });
  expect((await inChinese("verify", "kept")).err).toContain("缺少 core.db。");
  expect((await inChinese("restore", "kept", "--yes")).err).toContain("备份无法使用：缺少 core.db。");
  expect((await inChinese("create", "kept")).err).toContain("已存在");
});
