import { mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import { newestVersion } from "../schema/migrations.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import { inspectSqliteCopy, restoreSqlite } from "./sqlite-restore.ts";
import type { Stores } from "../storage.ts";

let directory: string;
let live: string;
let copy: string;
const opened: Stores[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-restore-"));
  live = join(directory, "core.db");
  copy = join(directory, "copy", "core.db");
});

afterEach(async () => {
  for (const stores of opened.splice(0)) await stores.close();
  await rm(directory, { recursive: true, force: true });
});

async function openLive(file = live): Promise<Stores> {
  const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
  opened.push(stores);
  return stores;
}

const say = async (stores: Stores, sessionKey: string) => {
  const { sessions } = stores.tenant("t");
  const request = { sessionKey, workspaceId: "w", agentId: "main", origin: { channel: "cli" }, cwd: "/" };
  return (await sessions.open(request)).session.sessionId;
};

const restore = () => restoreSqlite({ from: copy, into: live, clock: systemClock });

describe("restoreSqlite", () => {
  it("brings back what the copy holds and leaves nothing of later date", async () => {
    const stores = await openLive();
    const kept = await say(stores, "agent:main:main");
    await stores.backup(copy);
    const later = await say(stores, "agent:main:named:later");
    await restore();
    const { sessions } = stores.tenant("t");
    expect(await sessions.get(kept)).toBeDefined();
    expect(await sessions.get(later)).toBeUndefined();
  });

  it("brings back a copy of an earlier version, whose pages were larger", async () => {
    const stores = await openLive();
    const kept = await say(stores, "agent:main:main");
    await stores.backup(copy);
    const old = new DatabaseSync(copy);
    old.exec("PRAGMA page_size = 4096; VACUUM");
    old.close();
    const later = await say(stores, "agent:main:named:later");
    await stores.close();
    await restore();
    const { sessions } = (await openLive()).tenant("t");
    expect(await sessions.get(kept)).toBeDefined();
    expect(await sessions.get(later)).toBeUndefined();
  });

  it("shows those who have the database open one whole change, and they go on writing to it", async () => {
    const stores = await openLive();
    await say(stores, "agent:main:main");
    await stores.backup(copy);
    for (let index = 0; index < 20; index++) await say(stores, `agent:main:named:n${index}`);
    const inode = (await stat(live)).ino;
    await restore();
    expect((await stat(live)).ino).toBe(inode);
    await say(stores, "agent:main:named:after");
    expect(await stores.health("full")).toMatchObject({ ok: true, sessions: 2, entries: 2 });
  });

  it("makes the database where there is none, for its owner alone", async () => {
    const stores = await openLive(join(directory, "other.db"));
    await say(stores, "agent:main:main");
    await stores.backup(copy);
    await restore();
    expect((await stat(live)).mode & 0o777).toBe(0o600);
    expect(await (await openLive()).health("full")).toMatchObject({ ok: true, sessions: 1 });
  });

  it("waits for a writer and gives up with storage/busy, changing nothing", async () => {
    const stores = await openLive();
    await stores.backup(copy);
    const id = await say(stores, "agent:main:main");
    const writer = new DatabaseSync(live);
    writer.exec("BEGIN IMMEDIATE");
    const clock = createHandClock();
    const restoring = restoreSqlite({ from: copy, into: live, clock });
    const outcome = restoring.catch((error: unknown) => error);
    for (let turn = 0; turn < 200; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(500);
    }
    expect(await outcome).toMatchObject({ code: "storage/busy" });
    writer.exec("COMMIT");
    writer.close();
    expect(await stores.tenant("t").sessions.get(id)).toBeDefined();
  });

  it("succeeds as soon as the writer is done", async () => {
    const stores = await openLive();
    await stores.backup(copy);
    const id = await say(stores, "agent:main:main");
    const writer = new DatabaseSync(live);
    writer.exec("BEGIN IMMEDIATE");
    const clock = createHandClock();
    const restoring = restoreSqlite({ from: copy, into: live, clock });
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    writer.exec("COMMIT");
    writer.close();
    await clock.advance(500);
    await restoring;
    expect(await stores.tenant("t").sessions.get(id)).toBeUndefined();
  });

  it("leaves the database as it was when it is stopped half-way", async () => {
    const stores = await openLive();
    for (let index = 0; index < 100; index++) {
      const id = await say(stores, `agent:main:named:n${index}`);
      await stores
        .tenant("t")
        .entries.append(id, [{ type: "event", name: "x", data: { text: "x".repeat(40_000) } }]);
    }
    await stores.backup(copy);
    const later = await say(stores, "agent:main:named:later");
    const stop = new AbortController();
    const stopping = restoreSqlite({
      from: copy,
      into: live,
      clock: systemClock,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("stopped")),
    });
    await expect(stopping).rejects.toThrow("stopped");
    expect(await stores.tenant("t").sessions.get(later)).toBeDefined();
    expect(await stores.health("full")).toMatchObject({ ok: true, sessions: 101 });
  });

  it("refuses a copy of a newer schema", async () => {
    const stores = await openLive();
    await stores.backup(copy);
    const newer = new DatabaseSync(copy);
    newer.exec("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'later', '')");
    newer.close();
    await expect(restore()).rejects.toMatchObject({ code: "storage/too-new" });
  });
});

describe("inspectSqliteCopy", () => {
  it("counts what a copy holds and leaves no file beside it", async () => {
    const stores = await openLive();
    await say(stores, "agent:main:main");
    await stores.backup(copy);
    expect(inspectSqliteCopy(copy)).toEqual({
      schemaVersion: newestVersion,
      sessions: 1,
      entries: 1,
      problems: [],
    });
    expect(await readdir(join(directory, "copy"))).toEqual(["core.db"]);
  });

  it("says storage/corrupt for a file that is no database, and names damage in one that is", async () => {
    const stores = await openLive();
    for (let index = 0; index < 50; index++) await say(stores, `agent:main:named:n${index}`);
    await stores.backup(copy);
    const inspect = () => inspectSqliteCopy(copy);
    const loose = new DatabaseSync(copy, { enableForeignKeyConstraints: false });
    loose.exec("DELETE FROM sessions WHERE id IN (SELECT id FROM sessions LIMIT 1)");
    loose.close();
    expect(inspect().problems).toMatchObject([{ message: "a row of entries has no parent row" }]);
    await truncate(copy, (await stat(copy)).size - 8192);
    expect(inspect).toThrow(expect.objectContaining({ code: "storage/corrupt" }));
    await writeFile(copy, "nonsense ".repeat(1000));
    expect(inspect).toThrow(expect.objectContaining({ code: "storage/corrupt" }));
  });
});
