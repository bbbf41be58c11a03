import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newestVersion } from "../../storage/schema/migrations.ts";
import { question, subject, waitingTurn } from "../../storage/testing/approval-samples.ts";
import { createTestHome, type TestHome } from "../doctor/testing/test-home.ts";
import { readStatus } from "./status.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

const status = () => readStatus({ ...home.parts, version: "1.2.3" });

it("tells what is there in a new home without making a database", async () => {
  expect(await status()).toMatchObject({
    ok: true,
    version: "1.2.3",
    node: process.versions.node,
    home: home.path(),
    edition: "personal",
    language: "en",
    model: { reference: expect.stringMatching(/^stub\//), connected: false },
    config: { exists: false, mode: "normal", problems: [] },
    database: { state: "absent" },
    agents: [{ id: "main", isDefault: true }],
    gateway: { running: false },
    secrets: { count: 0 },
  });
  expect((await home.examined.database()).type).toBe("absent");
});

it("counts sessions, entries and secrets, and names no secret", async () => {
  await home.talk("agent:main:main", "hello");
  await home.examined.secrets.set("telegram-token", "a-very-secret-value");
  const found = await status();
  expect(found.database).toMatchObject({
    state: "open",
    sessions: 1,
    entries: 2,
    schemaVersion: newestVersion,
  });
  expect(found.secrets).toEqual({ count: 1 });
  expect(JSON.stringify(found)).not.toMatch(/telegram-token|a-very-secret-value/);
});

it("SEC-02 counts the lines of memory that wait for the owner's word", async () => {
  expect((await status()).memory).toEqual({ unconfirmed: 0 });
  const workdir = (await status()).workdir;
  await mkdir(workdir, { recursive: true });
  await writeFile(join(workdir, "MEMORY.md"), "- mine\n- [unconfirmed, from web a.org] theirs\n");
  expect((await status()).memory).toEqual({ unconfirmed: 1 });
});

it("SEC-02 does not take what it could not look at for nothing", async () => {
  const { workdir } = await status();
  await mkdir(join(workdir, "MEMORY.md"), { recursive: true });
  expect((await status()).memory).toEqual({ unconfirmed: null });
  await rm(workdir, { recursive: true });
  expect((await status()).memory).toEqual({ unconfirmed: 0 });
});

it("SAFE-02 counts the questions and the turns that wait for the owner", async () => {
  expect((await status()).approvals).toEqual({ questions: 0, turns: 0 });
  const { tenant } = await home.examined.makeDatabase();
  const { turnId } = await waitingTurn(tenant, "1");
  await tenant.approvals.ask(question(turnId, { callId: "call_2", subject: subject("d2") }));
  await home.examined.closeDatabase();
  expect((await status()).approvals).toEqual({ questions: 2, turns: 1 });
  await writeFile(home.path("core.db"), "garbage ".repeat(2000));
  expect((await status()).approvals).toBeNull();
});

it("works with a broken config and names file and line", async () => {
  await home.write("config.json5", "{\n  owners: [,\n}\n");
  const found = await status();
  expect(found).toMatchObject({ ok: true, config: { mode: "safe", fallback: "defaults" } });
  expect(found.config.problems[0]).toMatchObject({ file: home.path("config.json5"), line: 2 });
});

it("works with a damaged database and says so", async () => {
  await writeFile(home.path("core.db"), "garbage ".repeat(2000));
  expect(await status()).toMatchObject({ ok: false, database: { state: "failed", code: "storage/corrupt" } });
});

it("works with secrets that cannot be read", async () => {
  await home.write("secrets.json", "{");
  expect((await status()).secrets).toMatchObject({ count: 0, error: expect.any(String) });
});

it("says that a configured model is not connected", async () => {
  await home.write(
    "config.json5",
    "{ agents: { defaults: { model: { primary: 'mock/mock-1' } }, list: [{ id: 'helper' }] } }",
  );
  const found = await status();
  expect(found.model).toEqual({ reference: "mock/mock-1", connected: false, wanted: "mock/mock-1" });
  expect(found.agents.map(({ id }) => id)).toContain("helper");
});

it("works when there is no home, and makes none", async () => {
  await rm(home.path(), { recursive: true });
  expect(await status()).toMatchObject({ ok: true, database: { state: "absent" } });
  await expect(stat(home.path())).rejects.toMatchObject({ code: "ENOENT" });
});

it("calls a home that is no directory unusable", async () => {
  await rm(home.path(), { recursive: true });
  await writeFile(home.path(), "not a home");
  const found = await status();
  expect(found.ok).toBe(false);
  expect(found.homeProblem?.error).toBe(`${home.path()} is not a directory`);
});
