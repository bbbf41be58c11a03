import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../memory-stores.ts";
import { createSessionLeases, sessionLeaseName, type SessionLeases } from "../sessions/session-lease.ts";
import type { TenantStores } from "../storage.ts";
import { encodeLine } from "./line-codec.ts";
import { importSessions, type ImportParts } from "./import-sessions.ts";

let directory: string;
let stores: TenantStores;
let leases: SessionLeases;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-import-"));
  const clock = createHandClock();
  stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  leases = createSessionLeases({
    leases: stores.leases,
    clock,
    holder: { id: "h", pid: 1, host: "here", processStart: "1" },
    isAlive: () => true,
  });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const header = (id: string): Entry => ({
  seq: 1,
  time: "2026-01-01T12:00:00.000Z",
  type: "session",
  id,
  cwd: "/",
  tenantId: "t_default",
  workspaceId: "w_default",
  agentId: "main",
  sessionKey: `agent:main:named:${id}`,
  version: 1,
});

async function write(name: string, text: string): Promise<string> {
  const file = join(directory, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
  return file;
}

const parts = (more: Partial<ImportParts> = {}): ImportParts => ({
  sessions: stores.sessions,
  leases,
  tenantId: "t_default",
  mirror: async () => {},
  signal: new AbortController().signal,
  say: createSay("en"),
  ...more,
});

it("SESS-06 takes in a file, and of a directory every transcript below it", async () => {
  await write("a/s_1.jsonl", `${encodeLine(header("s_1"))}\n`);
  await write("a/deeper/s_2.jsonl", `${encodeLine(header("s_2"))}\n`);
  await write("a/readme.txt", "no transcript");
  const other = await write("note.txt", "no transcript either");
  const imported = await importSessions([join(directory, "a"), other], parts());
  expect(imported.map(({ outcome }) => outcome.type)).toEqual(["restored", "restored", "skipped"]);
  expect(await stores.sessions.get("s_2")).toBeDefined();
});

it("SESS-20 holds the session's lease while its file is written", async () => {
  const file = await write("s_1.jsonl", `${encodeLine(header("s_1"))}\n`);
  const held: boolean[] = [];
  const mirror: ImportParts["mirror"] = async (session) =>
    void held.push((await stores.leases.find(sessionLeaseName(session))) !== undefined);
  await importSessions([file], parts({ mirror }));
  expect(held).toEqual([true]);
});

it("stops when it is told to, and says which path is not there", async () => {
  const file = await write("s_1.jsonl", "");
  await expect(importSessions([file], parts({ signal: AbortSignal.abort() }))).rejects.toThrow("aborted");
  await expect(importSessions([join(directory, "gone")], parts())).rejects.toMatchObject({
    code: "usage/not-found",
  });
});
