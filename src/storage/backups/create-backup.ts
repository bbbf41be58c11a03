/**
 * Makes a backup: a directory that holds what Pincer itself keeps and cannot make again, which is the database, config and
 * secrets. The workdir is the user's own and is not part of it. The backup is put together under a temporary name and renamed
 * when it is complete and on the disk, so that whatever has its name is whole.
 */
import { copyFile, chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Home } from "../../config/home.ts";
import { ensureDir } from "../../config/home.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { syncDirectory, syncFile } from "../../infra/sync-to-disk.ts";
import type { Stores } from "../storage.ts";
import { inspectSqliteCopy } from "../sqlite/sqlite-restore.ts";
import { isThere } from "../../infra/is-there.ts";
import { fileStamp } from "../home/file-stamp.ts";
import { allowedName, describeFile, formatVersion, manifestName, type Manifest } from "./manifest.ts";

export interface CreateBackupRequest {
  home: Home;
  clock: Clock;
  version: string;
  /** Undefined leaves the database out: there is none that could be copied. */
  stores: Pick<Stores, "backup"> | undefined;
  /** Absent: a directory of the home, named after the time. */
  directory?: string | undefined;
  /** Puts the key of the secrets beside them; without it they can be opened only where the key is. */
  withKey: boolean;
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface CreatedBackup {
  directory: string;
  manifest: Manifest;
}

/** Throws `backup/refused` when the place is taken. Nothing is left behind when it fails. */
export async function createBackup(request: CreateBackupRequest): Promise<CreatedBackup> {
  const { home, clock, version, stores, withKey, onProgress, signal } = request;
  const directory = resolve(request.directory ?? join(home.backupsDir, fileStamp(clock)));
  if (await isThere(directory)) throw taken(directory);
  ensureDir(dirname(directory));
  const partial = join(dirname(directory), `.${basename(directory)}.${process.pid}.partial`);
  await mkdir(partial, { mode: 0o700 });
  try {
    const checkpoint = () => signal?.throwIfAborted();
    if (stores) {
      await stores.backup(join(partial, "core.db"), (done, total) => {
        checkpoint();
        onProgress?.(done, total);
      });
    }
    checkpoint();
    await copyFiles(home, partial, withKey);
    const manifest = await describe(partial, { version, createdAt: timestamp(clock), withKey });
    checkpoint();
    await writeManifest(join(partial, manifestName), manifest);
    await syncDirectories(partial);
    await claim(partial, directory);
    return { directory, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copyFiles(home: Home, target: string, withKey: boolean): Promise<void> {
  await copyIfThere(home.configFile, join(target, "config.json5"));
  await copyIfThere(home.secretsFile, join(target, "secrets.json"));
  if (withKey) await copyIfThere(home.secretKeyFile, join(target, "secret.key"));
  await copyFolder(home.configHistoryDir, join(target, "config-history"), ".json");
  await copyFolder(home.memoryDir, join(target, "memory"), ".md");
}

async function copyFolder(from: string, to: string, extension: ".json" | ".md"): Promise<void> {
  const names = await readdir(from).catch(() => []);
  const kept = names.filter(
    (name) => name.endsWith(extension) && allowedName.test(`${basename(to)}/${name}`),
  );
  if (kept.length > 0) await mkdir(to, { mode: 0o700 });
  for (const name of kept) await copyIfThere(join(from, name), join(to, name));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await chmod(to, 0o600);
  await syncFile(to);
}

async function describe(
  directory: string,
  { version, createdAt, withKey }: { version: string; createdAt: string; withKey: boolean },
): Promise<Manifest> {
  const names = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => (item.parentPath === directory ? item.name : `${basename(item.parentPath)}/${item.name}`))
    .sort();
  const files: Manifest["files"] = [];
  for (const name of names) files.push(await describeFile(directory, name));
  return {
    formatVersion,
    pincerVersion: version,
    createdAt,
    database: names.includes("core.db") ? counts(join(directory, "core.db")) : null,
    withKey: withKey && names.includes("secret.key"),
    files,
  };
}

/** Of the copy, not of the live database: others may have written meanwhile. */
function counts(copy: string): Manifest["database"] {
  const { schemaVersion, sessions, entries } = inspectSqliteCopy(copy);
  return { schemaVersion, sessions, entries };
}

async function writeManifest(file: string, manifest: Manifest): Promise<void> {
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  await syncFile(file);
}

/** Renaming a directory onto a name replaces an empty directory only, so nothing is ever overwritten. */
async function claim(partial: string, directory: string): Promise<void> {
  try {
    if (await isThere(directory)) throw taken(directory);
    await rename(partial, directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR") throw taken(directory);
    throw error;
  }
  await syncDirectory(dirname(directory));
}

async function syncDirectories(directory: string): Promise<void> {
  for (const folder of ["config-history", "memory"]) {
    const path = join(directory, folder);
    if (await isThere(path)) await syncDirectory(path);
  }
  await syncDirectory(directory);
}

const taken = (directory: string) =>
  failure("backup/refused", "failure.name-taken", { path: directory }, { hint: "failure.name-taken.hint" });
