/** The file operations it uses; a test can fail each of them. */
import {
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
  utimes,
} from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

export interface Disk {
  /** What reads. */
  open(path: string, flags: number): Promise<FileHandle>;
  lstat: typeof lstat;
  readdir: typeof readdir;
  readlink: typeof readlink;
  /** What changes something. */
  create(path: string, flags: number, mode: number): Promise<FileHandle>;
  write(handle: FileHandle, bytes: Uint8Array): Promise<void>;
  chmod(handle: FileHandle, mode: number): Promise<void>;
  sync(handle: FileHandle): Promise<void>;
  mkdir(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  utimes(path: string, at: Date): Promise<void>;
}

export const systemDisk: Disk = {
  open: (path, flags) => open(path, flags),
  lstat,
  readdir,
  readlink,
  create: (path, flags, mode) => open(path, flags, mode),
  async write(handle, bytes) {
    for (let at = 0; at < bytes.length;)
      at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
  },
  chmod: (handle, mode) => handle.chmod(mode),
  sync: (handle) => handle.sync(),
  mkdir: async (path, mode) => void (await mkdir(path, { mode })),
  rename,
  unlink,
  rmdir,
  symlink: (target, path) => symlink(target, path),
  utimes: (path, at) => utimes(path, at, at),
};

export const errorCode = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException | null)?.code;

/** Undefined if the path does not exist. */
export async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Makes the names in a directory survive a power cut, if the system supports it. */
export async function syncNames(disk: Disk, directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await disk.open(directory, 0);
  try {
    await disk.sync(handle);
  } finally {
    await handle.close();
  }
}

/** Level by level, for the owner alone. Safe to repeat. */
export async function makeDirectories(disk: Disk, root: string, ...names: string[]): Promise<string> {
  let at = root;
  for (const name of ["", ...names]) {
    at = name === "" ? at : `${at}/${name}`;
    await disk.mkdir(at, 0o700).catch(async (error: unknown) => {
      if (errorCode(error) === "ENOENT" && at === root) {
        await makeDirectories(disk, root.slice(0, root.lastIndexOf("/")) || "/");
        return disk.mkdir(at, 0o700);
      }
      if (errorCode(error) !== "EEXIST") throw error;
    });
  }
  return at;
}
