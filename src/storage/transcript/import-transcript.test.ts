import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PincerError, type Entry } from "@pincer/sdk";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importTranscript } from "./import-transcript.ts";
import { encodeLine } from "./line-codec.ts";
import { createMemorySessions, type MemorySessions } from "./testing/memory-sessions.ts";
import { sampleEntries } from "./testing/sample-session.ts";

let directory: string;
let sessions: MemorySessions;
const tenantId = "t_default";
const linesOf = (entries: Entry[]) => entries.map((entry) => `${encodeLine(entry)}\n`).join("");

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-import-"));
  sessions = createMemorySessions();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function fileWith(content: string | Buffer): Promise<string> {
  const file = join(directory, "any-name.txt");
  await writeFile(file, content);
  return file;
}

const skipped = (reason: string) => ({ type: "skipped", reason: expect.stringContaining(reason) });

describe("a transcript", () => {
  it("SESS-06 is taken in whatever the file is called, entries as they are", async () => {
    const entries = sampleEntries(2, "s_1");
    expect(await importTranscript(await fileWith(linesOf(entries)), { sessions, tenantId })).toEqual({
      type: "restored",
      sessionId: "s_1",
      sessionKey: "agent:main:named:s_1",
      entries: entries.length,
      problems: [],
    });
    expect(sessions.entriesOf("s_1")).toEqual(entries);
  });

  it("SESS-06 is left alone when its session is there already", async () => {
    const file = await fileWith(linesOf(sampleEntries(2, "s_1")));
    await sessions.restore(sampleEntries(1, "s_1"));
    expect(await importTranscript(file, { sessions, tenantId })).toEqual({
      type: "exists",
      sessionId: "s_1",
    });
    expect(sessions.entriesOf("s_1")).toEqual(sampleEntries(1, "s_1"));
  });

  it("SESS-15 is taken in as far as it is readable, with what was wrong", async () => {
    const entries = sampleEntries(1, "s_1");
    const file = await fileWith(`${linesOf(entries)}{"seq":`);
    expect(await importTranscript(file, { sessions, tenantId })).toMatchObject({
      type: "restored",
      entries: entries.length,
      problems: [{ type: "torn-end" }],
    });
  });
});

describe("what is skipped, with the reason", () => {
  /** Answers with the outcome, and with what is in the database then. */
  const attempt = async (file: string) => ({
    outcome: await importTranscript(file, { sessions, tenantId }),
    taken: (await sessions.list({ limit: 10 })).sessions,
  });
  const nothing = (reason: string) => ({ outcome: skipped(reason), taken: [] });

  it("is a directory", async () => {
    await mkdir(join(directory, "s_1.jsonl"));
    expect(await attempt(join(directory, "s_1.jsonl"))).toEqual(nothing("not a file"));
  });

  it.skipIf(process.platform === "win32")("is a pipe, without waiting for its writer", async () => {
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await attempt(pipe)).toEqual(nothing("not a file"));
  });

  it("is what cannot be read", async () => {
    expect(await attempt(join(directory, "gone"))).toEqual(nothing("ENOENT"));
  });

  it.each<[string, () => string | Buffer, string]>([
    ["has lost its header", () => linesOf(sampleEntries(1, "s_1").slice(1)), "no session entry"],
    ["is empty", () => "", "no session entry"],
    [
      "is garbage",
      () => Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)),
      "no session entry",
    ],
    [
      "has a header with a broken seal",
      () => linesOf(sampleEntries(1, "s_1")).replace("/home/me", "/home/us"),
      "no session entry",
    ],
  ])("%s", async (_, content, reason) => {
    expect(await attempt(await fileWith(content()))).toEqual(nothing(reason));
  });

  it.each<[object, string]>([
    [{ tenantId: "t_other" }, "another tenant"],
    [{ id: "../../../evil" }, "cannot name a file"],
    [{ id: "a/b" }, "cannot name a file"],
    [{ id: "" }, ""],
    [{ agentId: "../main" }, "agent id"],
    [{ sessionKey: "a free string" }, "session key"],
    [{ sessionKey: "agent:other:main" }, "session key"],
  ])("ROUTE-13 claims %j", async (claim, reason) => {
    const [header, ...rest] = sampleEntries(1, "s_1");
    const file = await fileWith(linesOf([{ ...header, ...claim } as Entry, ...rest]));
    expect(await attempt(file)).toEqual(nothing(reason));
  });
});

describe("the plain form of other programs", () => {
  const plain = [
    { type: "session", id: "4F2A-uuid", cwd: "/work" },
    {
      type: "message",
      id: "m1",
      timestamp: "2025-05-01T10:00:00Z",
      message: { role: "user", content: "hello" },
    },
    {
      type: "message",
      id: "m2",
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "let me look" },
          { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
        ],
      },
    },
    {
      type: "message",
      id: "m3",
      message: {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "read",
        content: [{ type: "text", text: "a" }],
      },
    },
    { type: "compaction", summary: "they said hello", keepFrom: "m3" },
  ];
  const asLines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

  it("SESS-05 is taken in, as words of a file and of nobody", async () => {
    expect(await importTranscript(await fileWith(asLines(plain)), { sessions, tenantId })).toEqual({
      type: "restored",
      sessionId: "4f2a-uuid",
      sessionKey: "agent:main:named:4f2a-uuid",
      entries: 5,
      problems: [],
    });
    const [header, said, answered, result, summary] = sessions.entriesOf("4f2a-uuid");
    expect(header).toMatchObject({ type: "session", cwd: "/work", agentId: "main" });
    expect(said).toMatchObject({
      time: "2025-05-01T10:00:00.000Z",
      message: { role: "user", content: [{ type: "text", text: "hello", origin: "file" }] },
    });
    expect(answered).toMatchObject({
      message: { origin: "file", content: [{ type: "text" }, { type: "toolCall" }] },
    });
    expect(result).toMatchObject({ message: { toolCallId: "c1", origin: "file", isError: false } });
    expect(summary).toMatchObject({ type: "compaction", keepFrom: 4 });
  });

  it("says which lines were left out", async () => {
    const file = await fileWith(`${asLines(plain.slice(0, 2))}{"type":"mess\n${asLines([{ type: "odd" }])}`);
    expect(await importTranscript(file, { sessions, tenantId })).toMatchObject({
      type: "restored",
      entries: 2,
      problems: [
        { type: "bad-line", line: 3 },
        { type: "bad-line", line: 4 },
      ],
    });
  });

  it("is never what a damaged transcript of ours is taken for", async () => {
    const [header, ...rest] = linesOf(sampleEntries(1, "s_1")).split("\n");
    const damaged = [header?.replace("/home/me", "/home/you"), ...rest].join("\n");
    expect(await importTranscript(await fileWith(damaged), { sessions, tenantId })).toMatchObject({
      type: "skipped",
    });
  });

  it("may hold anything", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), async (values) => {
        const file = await fileWith(asLines([{ type: "session", id: "x", cwd: "/" }, ...values]));
        expect(["restored", "exists"]).toContain((await importTranscript(file, { sessions, tenantId })).type);
      }),
      { numRuns: 30 },
    );
  });
});

describe("what is no fault of the file", () => {
  it.each(["storage/full", "storage/busy", "storage/failed"] as const)("is thrown: %s", async (code) => {
    const file = await fileWith(linesOf(sampleEntries(1, "s_1")));
    const failing = { restore: () => Promise.reject(new PincerError(code, "not now")) };
    await expect(importTranscript(file, { sessions: failing, tenantId })).rejects.toMatchObject({ code });
  });

  it("is thrown: an abort", async () => {
    const file = await fileWith(linesOf(sampleEntries(1, "s_1")));
    const aborted = importTranscript(file, { sessions, tenantId, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    expect((await sessions.list({ limit: 10 })).sessions).toEqual([]);
  });

  it("stays one file's own otherwise", async () => {
    const file = await fileWith(linesOf(sampleEntries(1, "s_1")));
    const failing = {
      restore: () => Promise.reject(new PincerError("transcript/unreadable", "the seqs do not rise")),
    };
    expect(await importTranscript(file, { sessions: failing, tenantId })).toEqual(skipped("do not rise"));
  });
});
