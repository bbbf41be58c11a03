import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { busyTimeoutMs, connect, journalBytes, pageSize } from "./sqlite-connection.ts";

let directory: string;
let connection: DatabaseSync;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-connection-"));
  connection = await connect(join(directory, "core.db"), systemClock, pageSize);
});
afterEach(async () => {
  connection.close();
  await rm(directory, { recursive: true, force: true });
});

it.each([
  ["journal_mode", "wal"],
  // NORMAL: a checkpoint waits for the log to be on the disk before it overwrites the database. OFF would not.
  ["synchronous", 1],
  ["foreign_keys", 1],
  ["secure_delete", 1],
  ["temp_store", 2],
  ["cache_size", -2000],
  ["journal_size_limit", journalBytes],
  ["wal_autocheckpoint", 16_384],
  ["busy_timeout", busyTimeoutMs],
  ["page_size", pageSize],
])("SESS-08 a connection has %s set to %s", (name, value) => {
  expect(Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})).toEqual([value]);
});
