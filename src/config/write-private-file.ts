/** Writes files of the home so that a reader sees the old or the new text whole, and nobody but the owner sees either. */
import { randomBytes } from "node:crypto";
import { link, open, readdir, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { failure } from "../infra/failure.ts";
import { isThere } from "../infra/is-there.ts";
import { ensureDir } from "./home.ts";

/** What a crash-proof write asks of the file system; the order of the calls is what makes it one. */
export interface Disk {
  open(path: string, flags: string, mode?: number): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  /** Fails with EEXIST when `to` is there. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export interface DiskFile {
  writeFile(text: string): Promise<void>;
  /** On the disk when it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const systemDisk: Disk = { open, rename, link, unlink };

/**
 * Replaces the file at once; on the disk when it resolves. A link stays one: what it leads to is replaced. Throws
 * PincerError storage/unavailable for a link that leads nowhere, else the system's error.
 */
export async function replacePrivateFile(name: string, text: string, disk = systemDisk): Promise<void> {
  const file = await targetOf(name);
  const temporary = await writeBeside(file, text, disk);
  try {
    await disk.rename(temporary, file);
  } catch (error) {
    await disk.unlink(temporary).catch(ignoreGone);
    throw error;
  }
  await syncDirectory(dirname(file), disk);
}

/** Creates the file whole, on the disk when it resolves; false when somebody else was first, whose file stays. */
export async function createPrivateFile(file: string, text: string, disk = systemDisk): Promise<boolean> {
  const temporary = await writeBeside(file, text, disk);
  try {
    await disk.link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await disk.unlink(temporary).catch(ignoreGone);
  }
  await syncDirectory(dirname(file), disk);
  return true;
}

async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !(await isThere(file))) return file;
    if (code !== "ENOENT" && code !== "ELOOP") throw error;
    throw failure(
      "storage/unavailable",
      "home.link-leads-nowhere",
      { path: file },
      { hint: "home.link-leads-nowhere.hint", cause: error },
    );
  }
}

async function writeBeside(file: string, text: string, disk: Disk): Promise<string> {
  ensureDir(dirname(file));
  await clearLeftovers(file);
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  const handle = await disk.open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await disk.unlink(temporary).catch(ignoreGone);
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

/** No write takes this long: what is older belongs to a process that was killed. */
const longestWriteMs = 10 * 60_000;

/** Removes what killed writers of the same file have left. Never throws: the write itself says what is wrong with the disk. */
async function clearLeftovers(file: string): Promise<void> {
  const beginning = `${basename(file)}.`;
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(beginning) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(beginning.length))) continue;
    const path = join(dirname(file), name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > longestWriteMs) await unlink(path).catch(ignoreGone);
  }
}

async function syncDirectory(directory: string, disk: Disk): Promise<void> {
  const handle = await disk.open(directory, "r").catch(() => undefined);
  // Some systems cannot sync a directory; the file's content is on the disk all the same.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

// The temporary file is gone already, or the disk refuses: the caller's error says more than this one would.
const ignoreGone = () => undefined;
