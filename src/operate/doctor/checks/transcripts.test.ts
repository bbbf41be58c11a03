import { appendFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionRecord } from "../../../storage/stores.ts";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
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
