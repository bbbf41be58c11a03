import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EntryBody } from "@pincer/sdk";
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { carryOver } from "../../agent/carry-over.ts";
import { createIds } from "../../infra/ids.ts";
import { createSessionMemory } from "./session-memory.ts";
import { createMemoryStores } from "../memory-stores.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import { createSessionLeases, sessionLeaseName, type SessionLeases } from "./session-lease.ts";
import type { SessionRecord } from "../stores.ts";
import type { TenantStores } from "../storage.ts";
import { request } from "../testing/samples.ts";
import { createTranscriptMirror } from "../transcript/transcript-mirror.ts";
import { deleteSession } from "./delete-session.ts";

let clock: HandClock;
let stores: TenantStores;
let session: SessionRecord;
/** Session ids whose file was removed. */
let removed: string[];
const memory = { remove: async ({ sessionKey }: { sessionKey: string }) => void removed.push(sessionKey) };
const transcripts = {
  remove: async ({ sessionId }: { sessionId: string }) => void removed.push(sessionId),
  complete: async ({ sessionId }: { sessionId: string }) => void removed.push(`again ${sessionId}`),
};

const index = { forget: async (sessionId: string) => void removed.push(`index of ${sessionId}`) };

const leasesOf = (pid: number, leases = stores.leases): SessionLeases =>
  createSessionLeases({
    leases,
    clock,
    holder: { id: `h${pid}`, pid, host: "here", processStart: "1" },
    isAlive: () => true,
  });

beforeEach(async () => {
  clock = createHandClock();
  removed = [];
  stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const origin = { channel: "cli" };
  const request = { sessionKey: "agent:main:main", workspaceId: "w", agentId: "main", origin, cwd: "/" };
  ({ session } = await stores.sessions.open(request));
});

const remove = (parts: Partial<Parameters<typeof deleteSession>[1]> = {}) =>
  deleteSession(session, {
    sessions: stores.sessions,
    leases: leasesOf(1),
    transcripts,
    memory,
    index,
    ...parts,
  });

it("removes the file, what its memory file says, and the rows", async () => {
  await remove();
  expect(removed).toEqual([
    session.sessionId,
    session.sessionKey,
    `index of ${session.sessionId}`,
    // What was read of it before it was gone may have come after that.
    `index of ${session.sessionId}`,
  ]);
  expect(await stores.sessions.get(session.sessionId)).toBeUndefined();
});

it("removes the sessions of its scouts, and no others", async () => {
  const open = async (sessionKey: string, subject: string) => {
    const origin = { channel: "child", subject };
    const opened = await stores.sessions.open({
      sessionKey,
      workspaceId: "w",
      agentId: "main",
      origin,
      cwd: "/",
    });
    return opened.session.sessionId;
  };
  const own = await open("agent:main:scout:r_1:c1", session.sessionId);
  const others = await open("agent:main:scout:r_2:c1", `${session.sessionId}x`);
  const named = await open("agent:main:named:plans", session.sessionId);
  await remove();
  expect(removed).toContain(own);
  expect(await stores.sessions.get(own)).toBeUndefined();
  for (const kept of [others, named]) expect(await stores.sessions.get(kept)).toBeDefined();
});

it("waits until nobody answers in the session any more", async () => {
  let finish = () => {};
  const answering = leasesOf(2).hold(
    sessionLeaseName(session),
    () => new Promise<void>((resolve) => (finish = resolve)),
  );
  // The holder sleeps until it renews its lease; a waiting caller sleeps, too.
  while (clock.sleeping() < 1) await new Promise((resolve) => setImmediate(resolve));
  const deleting = remove();
  while (clock.sleeping() < 2 && removed.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(removed).toEqual([]);
  expect(await stores.sessions.get(session.sessionId)).toBeDefined();
  finish();
  await answering;
  await clock.advance(1000);
  await deleting;
  expect(await stores.sessions.get(session.sessionId)).toBeUndefined();
});

it("STORE-08 removes the file before the rows, so that a crash in between leaves nothing to come back", async () => {
  const { forgetCarried, list } = stores.sessions;
  const sessions = { forgetCarried, list, delete: () => Promise.reject(new Error("crashed")) };
  await expect(remove({ sessions })).rejects.toThrow("crashed");
  expect(removed).toEqual([session.sessionId, session.sessionKey, `index of ${session.sessionId}`]);
  const failing = { ...transcripts, remove: () => Promise.reject(new Error("no way to the file")) };
  await expect(remove({ transcripts: failing })).rejects.toThrow("no way to the file");
  expect(await stores.sessions.get(session.sessionId)).toBeDefined();
});

it("STORE-08 leaves no byte of it in the sessions that followed, their copies and the memory file", async () => {
  const root = await mkdtemp(join(tmpdir(), "pincer-delete-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const words = "the heron sleeps at noon";
  const kept = "the otter swims at dawn";
  const database = await openSqliteStores({ file: join(root, "core.db"), clock, ids: createIds(clock.now) });
  const { sessions, entries, leases } = database.tenant("t_default");
  const mirror = createTranscriptMirror({
    sessionFile: (_agent, sessionId) => join(root, "agents", `${sessionId}.jsonl`),
    entries,
    markMirrored: sessions.markMirrored,
  });
  const sessionMemory = createSessionMemory({ directory: join(root, "memory") });
  const key = request("agent:main:main");
  const told = (text: string): EntryBody => ({
    type: "message",
    message: { role: "user", content: [{ type: "text", text }] },
  });
  const first = (await sessions.open(key)).session;
  await entries.append(first.sessionId, [told(words), { type: "compaction", summary: words, keepFrom: 3 }]);
  const summary = {
    sessionId: first.sessionId,
    seq: 3,
    summary: words,
    time: "2026-11-15T09:00:00Z",
    count: 1,
  };
  await sessionMemory.record(first, [summary]);
  // The second hands on what it was given, the third what it was told itself, too.
  const followers: SessionRecord[] = [];
  for (const text of ["", kept, kept]) {
    await clock.advance(1000);
    const { session: next } = await sessions.openNew(key, carryOver);
    if (text !== "") await entries.append(next.sessionId, [told(text)]);
    followers.push(next);
  }
  for (const { sessionId } of [first, ...followers]) {
    const record = await sessions.get(sessionId);
    if (record) await mirror.complete(record);
  }
  const bytes = () => allBytes(root);
  expect((await bytes()).split(words).length).toBeGreaterThan(8);

  const parts = { sessions, leases: leasesOf(1, leases), transcripts: mirror, memory: sessionMemory, index };
  await deleteSession(first, parts);
  await database.close();
  expect(await bytes()).not.toContain(words);
  expect(await bytes()).toContain(kept);
  const copies = await readdir(join(root, "agents"));
  expect(copies.toSorted()).toEqual(followers.map(({ sessionId }) => `${sessionId}.jsonl`).toSorted());
});

async function allBytes(root: string): Promise<string> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}
