import { closeSync, fstatSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWalFile } from "./wal-file.ts";

function makeLog() {
  const directory = mkdtempSync(join(tmpdir(), "pincer-wal-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "core.db");
  writeFileSync(file, "");
  writeFileSync(`${file}-wal`, "");
  return file;
}

it("closes its own file once, and never one that was opened in its place", () => {
  const file = makeLog();
  const log = openWalFile({ file, fdatasync: async () => {} });
  log.close();
  // The system gives the number that has just become free.
  const other = openSync(file, "w");
  onTestFinished(() => closeSync(other));
  log.close();
  expect(fstatSync(other).isFile()).toBe(true);
});

it("refuses to sync a log that somebody replaced, since that sync would keep nothing", async () => {
  const file = makeLog();
  const log = openWalFile({ file, fdatasync: async () => {} });
  onTestFinished(() => log.close());
  await expect(log.sync()).resolves.toBeUndefined();
  writeFileSync(`${file}-wal.new`, "");
  rmSync(`${file}-wal`);
  writeFileSync(`${file}-wal`, "");
  await expect(log.sync()).rejects.toThrow("was replaced while in use");
});

it("refuses to sync the log of a database that somebody removed or replaced", async () => {
  const file = makeLog();
  const log = openWalFile({ file, fdatasync: async () => {} });
  onTestFinished(() => log.close());
  renameSync(file, `${file}.away`);
  await expect(log.sync()).rejects.toThrow("ENOENT");
  writeFileSync(file, "");
  await expect(log.sync()).rejects.toThrow("was replaced while in use");
  renameSync(`${file}.away`, file);
  await expect(log.sync()).resolves.toBeUndefined();
});
