import { createHandClock } from "@pincer/sdk/testing";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { usualLogLimits } from "./checkpointer.ts";
import { startCheckpointThread, type StartCheckpointThread } from "./checkpoint-thread.ts";
import { change, first, type Verb } from "./database.ts";
import { pageSize } from "./sqlite-connection.ts";
import { openSqliteDatabase, type SqliteDatabase, type SqliteDatabaseParts } from "./sqlite-database.ts";
import { checkHealth } from "./sqlite-health.ts";

let directory: string;
let file: string;
let database: SqliteDatabase;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-database-"));
  file = join(directory, "core.db");
});
afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(parts: Partial<SqliteDatabaseParts> = {}): Promise<void> {
  database = await openSqliteDatabase({ file, clock: createHandClock(), ...parts });
  await database.write(() => change("CREATE TABLE rows (id INTEGER PRIMARY KEY, word TEXT)"), {
    sync: "now",
  });
}

function* insert(word: string): Verb<void> {
  yield* change("INSERT INTO rows (word) VALUES (?)", [word]);
}
const write = (word = "small") => database.write(() => insert(word), { sync: "later" });

/** More than is left in the log without copying, in one transaction. */
const writeMuch = () => write("x".repeat(pageSize * (usualLogLimits.copy + 50)));

const count = () => database.read(() => first<{ count: number }>("SELECT count(*) AS count FROM rows"));

function logState(): Record<string, unknown> {
  const other = new DatabaseSync(file);
  try {
    return { ...other.prepare("PRAGMA wal_checkpoint(NOOP)").get() };
  } finally {
    other.close();
  }
}

/** A thread that answers as it is told, and counts. */
function createThread(run: (mode: string) => Promise<{ busy: boolean }>) {
  const calls = { started: 0, ended: 0, modes: [] as string[] };
  const startThread: StartCheckpointThread = () => {
    calls.started++;
    return {
      run(mode) {
        calls.modes.push(mode);
        return run(mode);
      },
      async end() {
        calls.ended++;
      },
    };
  };
  return { calls, startThread };
}

describe("the log", () => {
  it("is never copied on this thread", async () => {
    const { calls, startThread } = createThread(async () => ({ busy: true }));
    await open({ startThread });
    for (let times = 0; times < 4; times++) await writeMuch();
    expect(calls.modes).toContain("copy");
    expect(logState()).toMatchObject({ checkpointed: 0 });
    expect(Number(logState()["log"])).toBeGreaterThan(4000);
  });

  it("costs a command with little to write no thread, and is gone when it closes", async () => {
    const { calls, startThread } = createThread(async () => ({ busy: false }));
    await open({ startThread });
    for (let times = 0; times < 50; times++) await write();
    await database.close();
    expect(calls.started).toBe(0);
    expect(() => statSync(`${file}-wal`)).toThrow("ENOENT");
  });

  it("stays small under endless small writes, and nothing of them is lost", async () => {
    let restarts = 0;
    await open({
      logLimits: { copy: 20, restart: 60, pause: 100 },
      startThread(path) {
        const thread = startCheckpointThread(path);
        return {
          ...thread,
          run(mode) {
            if (mode === "restart") restarts++;
            return thread.run(mode);
          },
        };
      },
    });
    let largest = 0;
    for (let written = 0; written < 3000; written++) {
      await write();
      if (written % 50 === 0) largest = Math.max(largest, statSync(`${file}-wal`).size);
    }
    expect(restarts).toBeGreaterThan(5);
    expect(largest).toBeLessThan(120 * 4120);
    expect(await count()).toEqual({ count: 3000 });
    const health = await checkHealth({ database, file, depth: "full" });
    expect(health.problems.filter(({ code }) => code === "storage/corrupt")).toEqual([]);
  });

  it("keeps what is written when copying fails, and health says why", async () => {
    const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
    const { startThread } = createThread(() => Promise.reject(full));
    await open({ startThread });
    await writeMuch();
    await write();
    expect(await count()).toEqual({ count: 2 });
    expect(database.failure()).toBeUndefined();
    const { ok, problems } = await checkHealth({ database, file, depth: "quick" });
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({ code: "storage/full" });
  });

  it("takes no write any more when the thread's sync has failed", async () => {
    const lost = Object.assign(new Error("disk I/O error"), { errcode: 1034 });
    const { startThread } = createThread(() => Promise.reject(lost));
    await open({ startThread });
    await writeMuch();
    await expect(write()).rejects.toMatchObject({ code: "storage/failed", cause: lost });
    expect(database.failure()).toMatchObject({ code: "storage/failed" });
    expect(await count()).toEqual({ count: 1 });
  });

  it("is closed only after the running checkpoint, and after the writes that waited for it", async () => {
    const finish: Array<() => void> = [];
    const { calls, startThread } = createThread(
      () => new Promise((resolve) => finish.push(() => resolve({ busy: false }))),
    );
    await open({ startThread, logLimits: { copy: 10, restart: 20, pause: 30 } });
    await write("x".repeat(200_000));
    const order: string[] = [];
    const waiting = write().then(() => order.push("written"));
    const closing = database.close().then(() => order.push("closed"));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    while (order.length < 2) {
      finish.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([waiting, closing]);
    expect(order).toEqual(["written", "closed"]);
    expect(calls.ended).toBe(1);
  });
});
