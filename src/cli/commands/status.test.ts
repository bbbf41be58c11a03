import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { waitingTurn } from "../../storage/testing/approval-samples.ts";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import * as status from "./status.ts";

let root: string;
let environment: Record<string, string>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-status-"));
  environment = { HOME: root, PINCER_HOME: root };
});
afterEach(() => rm(root, { recursive: true, force: true }));

it("prints one JSON document and nothing else", async () => {
  const ran = await runCommand(status, ["status", "--json"], { environment });
  expect(ran).toMatchObject({ status: 0, err: "" });
  expect(ran.json()).toMatchObject({ ok: true, version: "0.0.0-test", gateway: { running: false } });
  expect(await readdir(root)).toEqual([]);
});

it("prints lines for people, in their language and without colour", async () => {
  const english = await runCommand(status, ["status"], { environment });
  expect(english.out).toContain(`home       ${root}`);
  const terminal = createFakeTerminal({ outIsTerminal: true });
  const chinese = await runCommand(status, ["status"], {
    environment: { ...environment, PINCER_LANG: "zh" },
    terminal,
  });
  expect(chinese.out).toContain("未运行");
  expect(chinese.out).not.toContain("\u001b");
});

it("SAFE-02 says how much waits for the owner, and where to look", async () => {
  const home = await createCommandHome();
  await home.fill((stores) => waitingTurn(stores, "1"));
  expect((await home.run(status, "status")).out).toContain(
    "questions for you: 1, waiting turns: 1; see `pincer approvals list`",
  );
  const json = await home.run(status, "status", "--json");
  expect(json.json()).toMatchObject({ approvals: { questions: 1, turns: 1 } });
  expect((await home.runInChinese(status, "status")).out).toContain("待你答复的请求：1");
});

it("SEC-02 says that it could not look at the memory", async () => {
  await mkdir(join(root, "workspace", "MEMORY.md"), { recursive: true });
  const ran = await runCommand(status, ["status"], { environment });
  expect(ran.out).toContain("could not be checked; see `pincer doctor`");
});

it("ends with status 1 and says so when the database is damaged", async () => {
  await writeFile(join(root, "core.db"), "garbage ".repeat(2000));
  const ran = await runCommand(status, ["status"], { environment });
  expect(ran.status).toBe(1);
  expect(ran.out).toContain("The database file is damaged");
});

it("names file and line of a broken config and still ends well", async () => {
  await writeFile(join(root, "config.json5"), "{\n  owners: [,\n}\n");
  const ran = await runCommand(status, ["status"], { environment });
  expect(ran.status).toBe(0);
  expect(ran.out).toContain("safe mode");
  expect(ran.out).toContain(`${join(root, "config.json5")}:2`);
});

it("names a value that cost its section, and uses the rest of the file", async () => {
  await writeFile(join(root, "config.json5"), "{ language: 'zh', telemetry: { enabled: 5 } }");
  const ran = await runCommand(status, ["status", "--json"], { environment });
  expect(JSON.parse(ran.out)).toMatchObject({
    config: { mode: "normal", problems: [{ severity: "error", key: "telemetry.enabled" }] },
  });
});

it("refuses what it does not know with a usage line", async () => {
  const ran = await runCommand(status, ["status", "--verbose"], { environment });
  expect(ran).toMatchObject({ status: 2, out: "" });
  expect(ran.err).toContain("Usage: pincer status");
});

it("ends with status 1 and says so when the home is no directory", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  const ran = await runCommand(status, ["status"], { environment: { ...environment, PINCER_HOME: file } });
  expect(ran.status).toBe(1);
  expect(ran.out).toContain(`home       ${file} is not a directory\n`);
  expect(ran.out).not.toContain("database");
});

it("CLI-23 shows what a running gateway knows: its channels and how they are", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  const shown = await home.run(status, "status");
  expect(shown.out).toMatch(/channels +local +connected/);
  expect((await home.run(status, "status", "--json")).json()).toMatchObject({
    gateway: { running: true, channels: [{ channel: "local", state: "connected" }] },
  });
});
