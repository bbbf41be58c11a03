/** The files of a SQLite database: for their owner alone, and never touched through a second descriptor. */
import { chmodSync, closeSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../../config/home.ts";
import { syncDirectory } from "../../infra/sync-to-disk.ts";
import { openMarkOf } from "./lost-log.ts";

/**
 * Makes sure that the directory and an (empty) database file are there, readable by their owner only.
 * SQLite gives the files beside it the same mode. An existing directory keeps its mode: it may be one
 * that the user shares with other things.
 */
export async function prepareDatabaseFile(file: string): Promise<void> {
  ensureDir(dirname(file));
  if (createEmptyFile(file) === "created") return syncDirectory(dirname(file));
  closeToOthers(file);
}

/** The database and the files beside it, as far as they are there. By name only, never through a descriptor. */
export function closeToOthers(file: string): void {
  for (const path of filesOf(file)) closeOne(path);
}

/** The database is gone, with the files beside it. Nobody may have it open. */
export function removeDatabaseFiles(file: string): void {
  for (const path of filesOf(file)) rmSync(path, { force: true });
}

const filesOf = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`, openMarkOf(file)];

/**
 * For its owner alone. Exclusive creation, so that an existing file is never opened here: closing a descriptor of a database
 * that this process has open would drop its locks.
 */
export function createEmptyFile(file: string): "created" | "exists" {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return "created";
  } catch (error) {
    if (codeOf(error) === "EEXIST") return "exists";
    throw error;
  }
}

function closeOne(path: string): void {
  try {
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600);
  } catch (error) {
    // Gone, or someone else's: not ours to close, and opening it will tell whether we may use it.
    if (!["ENOENT", "EPERM", "EROFS"].includes(codeOf(error))) throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
