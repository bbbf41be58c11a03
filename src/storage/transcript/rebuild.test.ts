import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PincerError, type Entry } from "@pincer/sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AuditStore } from "../audit/audit.ts";
import { encodeLine } from "./line-codec.ts";
import { rebuildFromTranscripts } from "./rebuild.ts";
import { createMemorySessions, type MemorySessions } from "./testing/memory-sessions.ts";
import { sampleEntries } from "./testing/sample-session.ts";
import { createTranscriptMirror } from "./transcript-mirror.ts";

let directory: string;
const tenant = { tenantId: "t_default", workspaceId: "w_default" };
const fileOf = (agentId: string, sessionId: string) =>
  join(directory, agentId, "sessions", `${sessionId}.jsonl`);
const linesOf = (entries: Entry[]) => entries.map((entry) => `${encodeLine(entry)}\n`).join("");
/** Whose deletion the audit log remembers. */
const deleted = new Set<string>();
const audit: Pick<AuditStore, "list"> = {
  list: async ({ resourceId = "", action = "" }) =>
    action === "session-delete" && deleted.has(resourceId)
      ? [
          {
            id: "a",
            seq: 1,
            sessionKey: null,
            runId: null,
            actor: "owner",
            action,
            resourceType: "session",
            resourceId,
            metadata: {},
            createdAt: "",
          },
        ]
      : [],
};
const rebuild = (sessions: MemorySessions) =>
  rebuildFromTranscripts({ directory, ...tenant, sessions, audit });

beforeEach(async () => {
  deleted.clear();
  directory = await mkdtemp(join(tmpdir(), "pincer-rebuild-"));
  await mkdir(join(directory, "main", "sessions"), { recursive: true });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("SESS-06 an empty database gets from the files what the old one held", async () => {
  const ids = ["s_1", "s_2", "s_3"];
  const before = createMemorySessions();
  const mirror = createTranscriptMirror({
    sessionFile: fileOf,
    entries: before,
    markMirrored: before.markMirrored,
  });
  for (const [index, id] of ids.entries()) {
    await before.restore(sampleEntries(index + 1, id));
    await mirror.complete(before.get(id));
  }

  const after = createMemorySessions();
  const reports = await rebuild(after);
  const hashOf = (sessions: MemorySessions) =>
    createHash("sha256")
      .update(ids.map((id) => linesOf(sessions.entriesOf(id))).join(""))
      .digest("hex");
  expect(hashOf(after)).toBe(hashOf(before));
  expect(reports.map((report) => report.outcome.type)).toEqual(["restored", "restored", "restored"]);
  expect((await rebuild(after)).map((report) => report.outcome.type)).toEqual(["exists", "exists", "exists"]);
});

it("SESS-15 takes in a damaged file as far as it is readable, seq kept", async () => {
  const entries = sampleEntries(2, "s_1");
  await writeFile(fileOf("main", "s_1"), linesOf(entries.toSpliced(3, 1)));
  await truncate(fileOf("main", "s_1"), Buffer.byteLength(linesOf(entries.toSpliced(3, 1))) - 5);
  const sessions = createMemorySessions();
  const [report] = await rebuild(sessions);
  expect(report?.problems.map((problem) => problem.type)).toEqual(["torn-end", "gap"]);
  expect(sessions.entriesOf("s_1")).toEqual(entries.toSpliced(3, 1).slice(0, -1));
});

it("SESS-15 takes in a file that lost its header, under a name of its own", async () => {
  await writeFile(fileOf("main", "s_1"), linesOf(sampleEntries(1, "s_1").slice(1)));
  const sessions = createMemorySessions();
  await rebuild(sessions);
  expect(sessions.get("s_1")).toMatchObject({
    sessionKey: "agent:main:named:recovered-s_1",
    agentId: "main",
    ...tenant,
  });
});

it("ROUTE-13 a file cannot pass for another session, agent or tenant", async () => {
  const header = sampleEntries(1, "s_1")[0] as Entry;
  const hostile: Record<string, object> = {
    s_1: { id: "../../../evil" },
    s_2: { id: "s_1" },
    s_3: { id: "s_3", agentId: "other" },
    s_4: { id: "s_4", tenantId: "t_other" },
    s_5: { id: "s_5", sessionKey: "agent:main:%" },
    s_6: { id: "s_6", sessionKey: "a free string" },
  };
  for (const [name, change] of Object.entries(hostile)) {
    await writeFile(fileOf("main", name), linesOf([{ ...header, ...change }]));
  }
  await writeFile(fileOf("main", "UPPER"), linesOf([header]));
  await writeFile(fileOf("main", "s_empty"), "");
  const sessions = createMemorySessions();
  const reports = await rebuild(sessions);
  expect(reports.map((report) => report.outcome)).toEqual(
    Array.from({ length: 8 }, () => ({ type: "skipped", reason: expect.any(String) })),
  );
  expect((await sessions.list({ limit: 10 })).sessions).toEqual([]);
});

it("ROUTE-13 links are not followed", async () => {
  const outside = await mkdtemp(join(tmpdir(), "pincer-outside-"));
  try {
    await mkdir(join(outside, "sessions"));
    await writeFile(join(outside, "sessions", "s_1.jsonl"), linesOf(sampleEntries(1, "s_1")));
    await symlink(outside, join(directory, "linked"));
    await symlink(join(outside, "sessions", "s_1.jsonl"), fileOf("main", "s_1"));
    expect(await rebuild(createMemorySessions())).toEqual([]);
  } finally {
    await rm(outside, { recursive: true });
  }
});

it("SESS-06 one file's failure does not stop the others, and an abort does", async () => {
  for (const id of ["s_1", "s_2"]) await writeFile(fileOf("main", id), linesOf(sampleEntries(1, id)));
  const sessions = createMemorySessions();
  const failing: MemorySessions = {
    ...sessions,
    restore: async (entries) => {
      if (entries[0]?.type === "session" && entries[0].id === "s_1") throw new Error("no room");
      return sessions.restore(entries);
    },
  };
  const done: number[] = [];
  const onProgress = (_: unknown, count: number) => done.push(count);
  const reports = await rebuildFromTranscripts({
    directory,
    ...tenant,
    sessions: failing,
    audit,
    onProgress,
  });
  expect(reports.map((report) => report.outcome)).toEqual([
    { type: "skipped", reason: "no room" },
    { type: "restored", sessionId: "s_2", entries: sampleEntries(1).length },
  ]);
  expect(done).toEqual([1, 2]);
  const aborted = rebuildFromTranscripts({
    directory,
    ...tenant,
    sessions,
    audit,
    signal: AbortSignal.abort(),
  });
  await expect(aborted).rejects.toThrow("aborted");
});

it("STORE-08 a deleted session does not come back from a file that was left over", async () => {
  for (const id of ["s_1", "s_2"]) await writeFile(fileOf("main", id), linesOf(sampleEntries(1, id)));
  deleted.add("s_1");
  const sessions = createMemorySessions();
  expect((await rebuild(sessions)).map((report) => report.outcome)).toEqual([
    { type: "deleted", sessionId: "s_1" },
    { type: "restored", sessionId: "s_2", entries: sampleEntries(1).length },
  ]);
  expect(sessions.entriesOf("s_1")).toEqual([]);
});

it("SESS-06 a database that takes nothing stops it: no file is to blame", async () => {
  await writeFile(fileOf("main", "s_1"), linesOf(sampleEntries(1, "s_1")));
  const full: MemorySessions = {
    ...createMemorySessions(),
    restore: () => Promise.reject(new PincerError("storage/full", "no space")),
  };
  await expect(rebuild(full)).rejects.toMatchObject({ code: "storage/full" });
});

it("SESS-06 nothing to take in is no failure", async () => {
  expect(
    await rebuildFromTranscripts({
      directory: join(directory, "nowhere"),
      ...tenant,
      sessions: createMemorySessions(),
      audit,
    }),
  ).toEqual([]);
});
