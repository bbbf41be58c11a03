import { createHandClock } from "@pincer/sdk/testing";
import { openSync, readFileSync, writeSync, closeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../infra/failure.ts";
import { change, first } from "./database.ts";
import { openSqliteDatabase, type SqliteDatabase, type SqliteDatabaseParts } from "./sqlite-database.ts";
import { createConditionRecord } from "./storage-condition.ts";

let directory: string;
let file: string;
let database: SqliteDatabase;
let opened: SqliteDatabase | undefined;
const clock = createHandClock();

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-condition-"));
  file = join(directory, "core.db");
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function open(parts: Partial<SqliteDatabaseParts> = {}): Promise<void> {
  database = opened = await openSqliteDatabase({ file, clock, ...parts });
}

function pagesInLog(): number {
  const other = new DatabaseSync(file);
  try {
    return Number(other.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]);
  } finally {
    other.close();
  }
}

/** Overwrites the page that has this text. */
function damagePageWith(text: string): void {
  const at = readFileSync(file).indexOf(text);
  expect(at).toBeGreaterThan(0);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(4096, 0x5a), 0, 4096, Math.floor(at / 4096) * 4096);
  closeSync(descriptor);
}

async function openDamaged(): Promise<void> {
  const made = new DatabaseSync(file);
  made.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, word TEXT)");
  for (let id = 0; id < 200; id++)
    made.prepare("INSERT INTO rows VALUES (?, ?)").run(id, `word${id}`.repeat(30));
  made.close();
  damagePageWith("word150");
  await open();
}

const readAll = () => database.read(() => first("SELECT sum(length(word)) FROM rows"));

describe("what is known of the disk", () => {
  it("OBS-01 a try writes a page and has it synced", async () => {
    let syncs = 0;
    await open({ fdatasync: async () => void syncs++ });
    const before = pagesInLog();
    await database.tryWrite();
    expect(pagesInLog()).toBe(before + 1);
    expect(syncs).toBe(1);
    expect(database.condition()).toMatchObject({ writtenAt: clock.now(), refusing: undefined });
  });

  it("a write that fails counts until a changed page has reached the disk again", () => {
    const record = createConditionRecord(clock);
    const full = failure("storage/full", "failure.disk-full", { reason: "no space", file: "core.db" });
    record.writeFailed(full);
    expect(record.read().refusing).toEqual({ since: clock.now(), error: full });
    record.writeFailed(new Error("a bug is no matter of the disk"));
    expect(record.read().refusing?.error).toBe(full);
    record.wrote();
    expect(record.read().refusing).toBeUndefined();
  });

  it("a sync that fails is known at once, no matter which part wrote", async () => {
    await open({ fdatasync: () => Promise.reject(new Error("EIO")) });
    const write = () =>
      database.write(() => change("CREATE TABLE IF NOT EXISTS more (id INTEGER)"), { sync: "always" });
    await expect(write()).rejects.toThrow("EIO");
    expect(database.condition().refusing?.error.code).toBe("storage/failed");
  });

  it("reads that meet damage are counted, until a check finds every page whole", async () => {
    await openDamaged();
    await expect(readAll()).rejects.toMatchObject({ code: "storage/corrupt" });
    await expect(readAll()).rejects.toMatchObject({ code: "storage/corrupt" });
    expect(database.condition()).toMatchObject({ failedReads: 2, damage: [{ code: "storage/corrupt" }] });
    const record = createConditionRecord(clock);
    record.readFailed(failure("storage/corrupt", "failure.damage", { finding: "page 3" }));
    record.checked([]);
    expect(record.read()).toMatchObject({ failedReads: 0, damage: [] });
  });

  it("a check reads every page beside the work, and finds what nobody has read yet", async () => {
    await openDamaged();
    expect(database.condition().damage).toEqual([]);
    const found = await database.checkPages();
    expect(found.map(({ code }) => code)).toContain("storage/corrupt");
    expect(database.condition().damage.length).toBeGreaterThan(0);
  });

  it("a check of a whole database finds nothing, and one that is stopped throws", async () => {
    await open();
    await database.tryWrite();
    expect(await database.checkPages()).toEqual([]);
    await expect(database.checkPages(AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    const stopping = new AbortController();
    const checking = database.checkPages(stopping.signal);
    stopping.abort(new Error("later"));
    await expect(checking).rejects.toThrow("later");
  });
});
