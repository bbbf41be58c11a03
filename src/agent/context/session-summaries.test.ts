import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EntryBody } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createSessionMemory } from "../../storage/sessions/session-memory.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { request } from "../../storage/testing/samples.ts";
import { createSessionSummaries } from "./session-summaries.ts";

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "pincer-summaries-"))));
afterEach(() => rm(directory, { recursive: true }));

const said = (text: string): EntryBody => ({
  type: "message",
  message: { role: "user", content: [{ type: "text", text }] },
});

async function stage({ isWanted = true, hasMemory = true } = {}) {
  const clock = createHandClock();
  const { sessions, entries } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const { session: opened } = await sessions.open(request("agent:main:main"));
  const { sessionId } = opened;
  await sessions.switchMemory(sessionId, hasMemory);
  const memory = createSessionMemory({ directory });
  const errors: unknown[] = [];
  const summaries = createSessionSummaries({
    entries,
    memory,
    isWanted: () => isWanted,
    onError: (error) => errors.push(error),
  });
  return {
    errors,
    add: (...bodies: EntryBody[]) => entries.append(sessionId, bodies),
    async complete() {
      const session = await sessions.get(sessionId);
      return session && summaries.complete(session);
    },
    async look() {
      const session = await sessions.get(sessionId);
      return session && summaries.look(session);
    },
    end: () => sessions.openNew(request("agent:main:main")),
    file: memory.fileOf(opened),
    read: () => readFile(memory.fileOf(opened), "utf8"),
  };
}

it("COMP-01 writes each summary down once, with the number of messages that it stands for", async () => {
  const { add, complete, read, errors } = await stage();
  const [first] = await add(said("one"), said("two"), said("three"));
  const from = first?.seq ?? 0;
  await add({ type: "compaction", summary: "They counted.", from, keepFrom: from + 2 });
  expect(await complete()).toBeDefined();
  const once = await read();

  const [last] = await add(said("four"), said("five"));
  // The entry of the first summary lies between, and is no message.
  const keepFrom = (last?.seq ?? 0) + 1;
  await add({ type: "compaction", summary: "They went on.", from: from + 2, keepFrom });
  expect(await complete()).toBeDefined();
  expect(await complete()).toBeDefined();
  const twice = await read();
  expect(twice.startsWith(once.trimEnd())).toBe(true);
  expect(twice.match(/\d+ messages/g)).toEqual(["2 messages", "2 messages"]);
  expect(twice.match(/They \w+/g)).toEqual(["They counted", "They went"]);
  expect(errors).toEqual([]);
});

it("SEC-02 says above a summary which strangers' texts it was made of", async () => {
  const { add, complete, read } = await stage();
  await add(said("one"));
  const sum = { type: "compaction", from: 2, keepFrom: 3 } as const;
  await add({ ...sum, summary: "Theirs.", origins: ["owner", "system", "web", "file"] });
  await add({ ...sum, summary: "Ours.", origins: ["owner", "system"] });
  await add({ ...sum, summary: "Whose?" });
  await complete();
  const [theirs, ours, older] = (await read()).match(/^## .*/gm) ?? [];
  expect(theirs).toMatch(/\d messages? \[unconfirmed: made of web, file too\]$/);
  expect(ours).toMatch(/\d messages? \[of the owner's words\]$/);
  expect(older).toMatch(/\d messages? \[unconfirmed: made of summary too\]$/);
});

const summedUp = (summary: string): EntryBody => ({ type: "compaction", summary, from: 2, keepFrom: 3 });

it.each([{ isWanted: false }, { hasMemory: false }])(
  "MEM-01 writes nothing where nobody wants the file or the session has no memory",
  async (how) => {
    const { add, complete, read, errors } = await stage(how);
    await add(said("one"), summedUp("They counted."));
    expect(await complete()).toBeUndefined();
    await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
    expect(errors).toEqual([]);
  },
);

it("MEM-01 has nothing to write before anything is summed up", async () => {
  const { add, complete, read } = await stage();
  await add(said("one"));
  expect(await complete()).toEqual({ newestChars: 0 });
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});

it("COMP-01 makes good what a crash kept out of the file, oldest first", async () => {
  const { add, complete, read } = await stage();
  await add(said("one"), summedUp("First."));
  await complete();
  await add(summedUp("Second."), { type: "anchor", name: "done" }, summedUp("Third."));
  await complete();
  expect((await read()).match(/First|Second|Third/g)).toEqual(["First", "Second", "Third"]);
});

it("MEM-01 writes nothing where somebody only looks, and says whether all is there", async () => {
  const { add, complete, look, read } = await stage();
  await add(said("one"), summedUp("They counted."));
  expect(await look()).toBeUndefined();
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
  const written = await complete();
  expect(await look()).toEqual(written);
});

it("MEM-01 writes nothing of a session that is over behind the one that is not", async () => {
  const { add, complete, read, end } = await stage();
  await add(said("one"), summedUp("They counted."));
  await end();
  expect(await complete()).toBeUndefined();
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});

it("MEM-01 reads and writes the file once, however many summaries are missing", async () => {
  const { add, complete, file, read } = await stage();
  await add(said("one"), ...Array.from({ length: 15 }, (_, index) => summedUp(`Number ${index}.`)));
  await complete();
  expect((await read()).match(/Number \d+/g)).toHaveLength(15);
  const { ino } = await stat(file);
  await complete();
  expect((await stat(file)).ino).toBe(ino);
});

it("MEM-01 says how much of the end of the file holds the newest summary", async () => {
  const { add, complete, read } = await stage();
  await add(said("one"), summedUp("Long ago."), summedUp("They counted.\n".repeat(500).trim()));
  const { newestChars = 0 } = (await complete()) ?? {};
  const withoutMarks = (await read()).replaceAll(/<!--.*-->/g, "").trim();
  const end = withoutMarks.slice(-newestChars);
  expect(end.match(/They counted/g)).toHaveLength(500);
  expect(/^## .* messages .*$/m.test(end)).toBe(true);
});

it("MEM-01 tells of a disk that refuses, and goes on once it does not", async () => {
  const { add, complete, read, file, errors } = await stage();
  await add(said("one"), summedUp("They counted."));
  await mkdir(file, { recursive: true });
  expect(await complete()).toBeUndefined();
  expect(errors).toMatchObject([{ name: "PincerError" }]);
  await rm(file, { recursive: true });
  expect(await complete()).toBeDefined();
  expect(await read()).toContain("They counted.");
});
