import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, findingsOf, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkSessions } from "./sessions.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
  await home.talk("agent:main:main", "one", "two");
  await home.talk("agent:main:named:other", "three");
});
afterEach(() => home.remove());

const check = () => checkSessions(home.examined, () => {}, new AbortController().signal);

it("is content when every transcript has its session", async () => {
  expect(await findingsOf(check())).toEqual(["ok every transcript has its session"]);
});

it("says what can be brought back when the database is missing, without making one", async () => {
  await rm(home.path("core.db"));
  expect(await findingsOf(check())).toEqual([
    "problem sessions missing from the database that can be restored from their transcripts: 2",
  ]);
  expect((await home.examined.database()).type).toBe("absent");
});

it("brings sessions back into a database that lacks them, entries and all", async () => {
  await rm(home.path("core.db"));
  const { stores } = await home.examined.makeDatabase();
  const doctor = check();
  expect(await levelsOf(doctor)).toEqual(["warning"]);
  expect(await doctor.fix?.()).toEqual(["sessions restored from their transcripts: 2 (entries: 5)"]);
  expect(await stores.health("full")).toMatchObject({ ok: true, sessions: 2, entries: 5 });
  expect(await levelsOf(doctor)).toEqual(["ok"]);
});

it("names a file that cannot be taken in and leaves it where it is", async () => {
  await writeFile(home.path("agents", "main", "sessions", "s_stray.jsonl"), "not a transcript\n");
  const doctor = check();
  expect(await doctor.fix?.()).toEqual([]);
  const [finding] = await doctor.check();
  expect(finding).toMatchObject({ level: "warning", message: expect.stringContaining("s_stray.jsonl") });
});

it("STORE-08 does not bring back a deleted session from a file that is still there, and removes it", async () => {
  const { sessionId, agentId } = await home.talk("agent:main:main", "secret words");
  const file = home.examined.transcriptFile(agentId, sessionId);
  const content = await readFile(file, "utf8");
  const { tenant, transcripts } = await home.examined.makeDatabase();
  await transcripts.remove({ agentId, sessionId });
  await tenant.sessions.delete(sessionId, "owner");
  await writeFile(file, content);
  await writeFile(`${file}.bak-1`, content);
  const doctor = check();
  expect(await findingsOf(doctor)).toEqual(["warning leftover transcripts of deleted sessions: 1"]);
  expect(await doctor.fix?.()).toEqual(["transcripts of deleted sessions removed: 1"]);
  expect(await tenant.sessions.get(sessionId)).toBeUndefined();
  expect((await readdir(home.path("agents", "main", "sessions"))).join()).not.toContain(sessionId);
  expect(await levelsOf(doctor)).toEqual(["ok"]);
});
