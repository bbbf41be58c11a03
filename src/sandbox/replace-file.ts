/**
 * Replaces the content of a file atomically: writes a file beside it, syncs it, and renames it. A crash leaves the
 * old content. A hard link is not written through: the name gets its own file.
 */
import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { explain, type NamedPlace, syncNames, throughHandle, WorkdirError } from "./workdir-opener.ts";

/** The disk operations it uses; a test can make each step fail. */
export interface Disk {
  open(path: string, flags: number, mode: number): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export const systemDisk: Disk = { open, rename, link, unlink };

export interface Replacement {
  /** The path for messages. */
  path: string;
  place: NamedPlace;
  content: string | Uint8Array;
  /** What must still have the name when it is replaced; undefined: nothing. `whatever`: no check. */
  instead: BigIntStats | undefined | "whatever";
  /** For a new file; an existing mode stays. */
  mode: number;
  disk: Disk;
}

/** On the disk when it resolves. Throws WorkdirError. */
export async function replaceFile({ path, place, content, instead, mode, disk }: Replacement): Promise<void> {
  const directory = throughHandle(place.directory);
  const target = join(directory, place.name);
  const beside = join(directory, `.pincer-${randomUUID()}.tmp`);
  const before = await statOf(target);
  try {
    await writeBeside({ beside, content, before: before?.isFile() ? before : undefined, mode, disk });
    if (instead === undefined) {
      await takeFreeName({ from: beside, to: target, disk, settle: async () => {} });
    } else {
      if (instead !== "whatever" && !isSame(await statOf(target), instead)) throw changedMeanwhile(path);
      await disk.rename(beside, target);
    }
  } catch (error) {
    await disk.unlink(beside).catch(() => undefined);
    throw explain(error, path);
  }
  await syncNames(place.directory);
}

/**
 * Renames a file to a free name: unlike `rename`, `link` never replaces another file. Calls `settle` before the old
 * name goes. On a file system without hard links another file could take the name in a short gap.
 */
export async function takeFreeName(naming: {
  from: string;
  to: string;
  disk: Disk;
  settle(): Promise<void>;
}): Promise<void> {
  const { from, to, disk, settle } = naming;
  try {
    await disk.link(from, to);
  } catch (error) {
    if (!noSecondNames.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    if (await statOf(to)) throw Object.assign(new Error(to), { code: "EEXIST" });
    await disk.rename(from, to);
    return settle();
  }
  await settle();
  await disk.unlink(from);
}

const noSecondNames = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** What has the name now, links not followed; undefined if nothing. */
export const statOf = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

const changedMeanwhile = (path: string): WorkdirError =>
  new WorkdirError(`${path} was changed by somebody else meanwhile; read it again`);

/** Whether it is the same file with the same content, as far as the system tells. */
export const isSame = (a: BigIntStats | undefined, b: BigIntStats): boolean =>
  a !== undefined &&
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;

async function writeBeside({
  beside,
  content,
  before,
  mode,
  disk,
}: Pick<Replacement, "content" | "mode" | "disk"> & {
  beside: string;
  before: BigIntStats | undefined;
}): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await disk.open(beside, flags, before ? 0o600 : mode);
  try {
    await handle.writeFile(content);
    if (before) await keepOwnerAndMode(handle, before);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const made = await handle.stat({ bigint: true });
  if (made.uid !== before.uid || made.gid !== before.gid)
    // Only root may give files away; for anybody else the new file is their own.
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => undefined);
  await handle.chmod(Number(before.mode & 0o777n));
}
