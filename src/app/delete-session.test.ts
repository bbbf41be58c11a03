import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { beforeEach, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createSessionLeases, sessionLeaseName, type SessionLeases } from "../storage/session-lease.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TenantStores } from "../storage/storage.ts";
import { deleteSession } from "./delete-session.ts";

let clock: HandClock;
let stores: TenantStores;
let session: SessionRecord;
/** Session ids whose file was removed. */
let removed: string[];
const transcripts = { remove: async ({ sessionId }: { sessionId: string }) => void removed.push(sessionId) };

const leasesOf = (pid: number): SessionLeases =>
  createSessionLeases({
    leases: stores.leases,
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
  deleteSession(session, { sessions: stores.sessions, leases: leasesOf(1), transcripts, ...parts });

it("removes the file and the rows", async () => {
  await remove();
  expect(removed).toEqual([session.sessionId]);
  expect(await stores.sessions.get(session.sessionId)).toBeUndefined();
});

it("waits until nobody answers in the session any more", async () => {
  let finish = () => {};
  const answering = leasesOf(2).hold(
    sessionLeaseName(session),
    () => new Promise<void>((resolve) => (finish = resolve)),
  );
  // The holder sleeps until it renews its lease; whoever waits sleeps, too.
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
  const sessions = { delete: () => Promise.reject(new Error("crashed")) };
  await expect(remove({ sessions })).rejects.toThrow("crashed");
  expect(removed).toEqual([session.sessionId]);
  const failing = { remove: () => Promise.reject(new Error("no way to the file")) };
  await expect(remove({ transcripts: failing })).rejects.toThrow("no way to the file");
  expect(await stores.sessions.get(session.sessionId)).toBeDefined();
});
