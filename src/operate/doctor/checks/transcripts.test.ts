import { appendFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionRecord } from "../../../storage/stores.ts";
import { createTestHome, findingsOf, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkTranscripts } from "./transcripts.ts";

let home: TestHome;
let session: SessionRecord;
let file: string;
let whole: string;

beforeEach(async () => {
  home = await createTestHome();
  session = await home.talk("agent:main:main", "one", "two", "three");
  file = home.examined.transcriptFile(session.agentId, session.sessionId);
  whole = await readFile(file, "utf8");
});
afterEach(() => home.remove());

const check = () => checkTranscripts(home.examined, () => {}, new AbortController().signal);

it("is content with copies that are whole", async () => {
  expect(await levelsOf(check())).toEqual(["ok"]);
  expect(await check().fix?.()).toEqual([]);
});

const damages: Array<[string, () => Promise<void>]> = [
  ["is missing", () => rm(file)],
  ["is empty", () => truncate(file)],
  ["was cut in the middle of a line", () => truncate(file, whole.length - 20)],
  ["lacks its last line", () => writeFile(file, whole.split("\n").slice(0, -2).join("\n") + "\n")],
  ["has a changed line in the middle", () => writeFile(file, whole.replace('"one"', '"0ne"'))],
  ["lacks its first line", () => writeFile(file, whole.split("\n").slice(1).join("\n"))],
  ["has something else appended", () => appendFile(file, "scribble\n")],
];

it.each(damages)("finds and repairs a copy that %s", async (_, damage) => {
  await damage();
  expect(await levelsOf(check())).toEqual(["warning"]);
  expect(await check().fix?.()).toEqual(["transcripts completed from the database: 1"]);
  expect(await readFile(file, "utf8")).toBe(whole);
  expect(await levelsOf(check())).toEqual(["ok"]);
});

it("keeps a damaged copy under another name", async () => {
  await writeFile(file, whole.replace('"one"', '"0ne"'));
  await check().fix?.();
  const names = await readdir(home.path("agents", "main", "sessions"));
  expect(names.sort()).toEqual([`${session.sessionId}.jsonl`, `${session.sessionId}.jsonl.bak-1`]);
});

/** As a log that is lost leaves it. */
function loseLastEntries(): void {
  const raw = new DatabaseSync(home.path("core.db"));
  raw.exec(
    "DELETE FROM entries WHERE seq > 2; UPDATE sessions SET last_seq = 2, entry_count = 2, mirrored_seq = 2",
  );
  raw.close();
}

it("a transcript that is longer than the session gives the database back what it has lost", async () => {
  loseLastEntries();
  expect((await findingsOf(check())).join()).toMatch(/^warning .* goes on to entry 4, but .* ends with 2/);
  expect(await check().fix?.()).toHaveLength(1);
  expect(await readFile(file, "utf8")).toBe(whole);
  const { tenant } = await home.examined.makeDatabase();
  const { sessionId } = session;
  expect(JSON.stringify(await tenant.entries.after(sessionId, 0, 9))).toContain("three");
  expect(await tenant.sessions.get(sessionId)).toMatchObject({ lastSeq: 4 });
  expect((await tenant.notices.list({ limit: 1 }))[0]?.text.parameters).toEqual({ sessionId, count: 2 });
  expect(await levelsOf(check())).toEqual(["ok"]);
});

it("a longer transcript that was changed is kept under another name, and its words do not get in", async () => {
  await writeFile(file, whole.replace("three", "THREE"));
  loseLastEntries();
  await check().fix?.();
  const { tenant } = await home.examined.makeDatabase();
  expect(await tenant.entries.after(session.sessionId, 0, 9)).toHaveLength(2);
  expect(await readFile(`${file}.bak-1`, "utf8")).toContain("THREE");
});
