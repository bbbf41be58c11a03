import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { startCheckpointThread, type CheckpointThread } from "./checkpoint-thread.ts";
import { connect } from "./sqlite-connection.ts";

let directory: string;
let file: string;
let connection: DatabaseSync;
let thread: CheckpointThread;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-checkpoint-"));
  // A name that means something else in an address.
  file = join(directory, "a b?c#d%20.db");
  connection = await connect(file, systemClock);
  connection.exec("CREATE TABLE rows (word TEXT)");
  thread = startCheckpointThread(file);
});
afterEach(async () => {
  await thread.end();
  if (connection.isOpen) connection.close();
  await rm(directory, { recursive: true, force: true });
});

const log = () => ({ ...connection.prepare("PRAGMA wal_checkpoint(NOOP)").get() });
const insert = () => connection.exec("INSERT INTO rows VALUES ('x')");

describe("the checkpoint thread", () => {
  it("copies the log into the database, and leaves the log in its place", async () => {
    for (let count = 0; count < 20; count++) insert();
    const { log: pages } = log();
    expect(log()).toMatchObject({ checkpointed: 0 });
    expect(await thread.run("copy")).toEqual({ busy: false });
    expect(log()).toMatchObject({ log: pages, checkpointed: pages });
  });

  it("begins the log anew, with a header that nobody else has to wait for", async () => {
    for (let count = 0; count < 20; count++) insert();
    expect(await thread.run("restart")).toEqual({ busy: false });
    expect(log()).toMatchObject({ log: 1, checkpointed: 0 });
    insert();
    expect(connection.prepare("SELECT count(*) AS count FROM rows").get()).toEqual({ count: 21 });
    expect(connection.prepare("PRAGMA user_version").get()).toEqual({ user_version: 0 });
  });

  it("is busy with a restart as long as somebody reads the log", async () => {
    insert();
    connection.exec("BEGIN; SELECT * FROM rows");
    expect(await thread.run("restart")).toEqual({ busy: true });
    connection.exec("COMMIT");
    expect(await thread.run("restart")).toEqual({ busy: false });
  });

  it("answers with SQLite's error, and makes no database where there is none", async () => {
    const missing = join(directory, "missing.db");
    const other = startCheckpointThread(missing);
    await expect(other.run("copy")).rejects.toMatchObject({ code: "ERR_SQLITE_ERROR", errcode: 14 });
    await other.end();
    expect(existsSync(missing)).toBe(false);
  });

  it("ends once, and says so when it is asked afterwards", async () => {
    await thread.run("copy");
    await Promise.all([thread.end(), thread.end()]);
    await thread.end();
    await expect(thread.run("copy")).rejects.toThrow("has ended");
  });
});
