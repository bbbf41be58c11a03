/** A consistent copy of a live database, checked before it gets its name. */
import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { ensureDir } from "../../config/home.ts";
import { failure } from "../../infra/failure.ts";
import * as disk from "../../infra/sync-to-disk.ts";
import { busyTimeoutMs } from "./sqlite-connection.ts";
import { asStorageError, isDamage } from "./sqlite-errors.ts";
import { createEmptyFile } from "./sqlite-files.ts";

/**
 * Throws `backup/refused` when `to` exists, and `backup/invalid` when the copy is not whole. The copy is
 * one file without a log beside it. Nothing is left behind when it fails.
 */
export async function backupSqlite(parts: {
  /** The live database; this process may have it open. */
  from: string;
  to: string;
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** How files and directories get to the disk; the system's way unless told. */
  sync?: Pick<typeof disk, "syncFile" | "syncDirectory">;
}): Promise<void> {
  const { from, to, onProgress = () => {}, sync = disk } = parts;
  const partial = `${to}.partial`;
  try {
    claimName(to);
    try {
      rmSync(partial, { force: true });
      createEmptyFile(partial);
      await copySnapshot(from, partial, onProgress);
      checkCopy(partial);
      await sync.syncFile(partial);
      renameSync(partial, to);
      await sync.syncDirectory(dirname(to));
    } catch (error) {
      for (const path of [partial, `${partial}-wal`, `${partial}-shm`, to]) rmSync(path, { force: true });
      throw error;
    }
  } catch (error) {
    throw asStorageError(error, to);
  }
}

/**
 * Copies through a connection of its own: the copying runs on another thread, and two threads on one
 * connection get each other's errors. Its open read transaction fixes what is copied, so that writing
 * meanwhile does not make the copying start over.
 */
async function copySnapshot(
  from: string,
  to: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: busyTimeoutMs });
  try {
    source.exec("BEGIN; SELECT count(*) FROM sqlite_master");
    const pages = await backup(source, to, {
      rate: 256,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
    onProgress(pages, pages);
  } finally {
    source.close();
  }
}

function claimName(file: string): void {
  ensureDir(dirname(file));
  if (createEmptyFile(file) === "created") return;
  throw failure("backup/refused", "failure.name-taken", { path: file }, { hint: "failure.name-taken.hint" });
}

function checkCopy(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    if (!isWhole(copy)) {
      throw failure("backup/invalid", "failure.copy-damaged", {}, { hint: "failure.copy-damaged.hint" });
    }
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

function isWhole(copy: DatabaseSync): boolean {
  try {
    const found = copy.prepare("PRAGMA quick_check").all();
    return found.length === 1 && found[0]?.["quick_check"] === "ok";
  } catch (error) {
    // Where the damage is bad enough, the check itself fails.
    if (isDamage(error)) return false;
    throw error;
  }
}
