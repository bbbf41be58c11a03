/**
 * Walks a directory of the workdir and stores its content. It opens each name through the checked descriptor of its
 * directory and never follows it, so that nothing outside is read, whatever is swapped meanwhile. A file with the
 * size and times of the last walk is not read again.
 */
import { constants, type BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { LoopYield } from "../../infra/loop-yield.ts";
import { directoryFlags, throughHandle, type Opened, type WorkdirOpener } from "../workdir-opener.ts";
import type { Blobs } from "./blobs.ts";
import { errorCode, unlessMissing, type Disk } from "./disk.ts";
import { eachOf } from "./each-of.ts";
import { bytesBelow, isInObjectStore, isObjectStore, mostObjectBytes } from "./git-objects.ts";
import type { Kept, Tree } from "./kept.ts";

export interface KeepSettings {
  /** Names of directories and files that are passed over. */
  exclude: readonly string[];
  maxFileBytes: number;
  maxBytes: number;
}

export interface KeepParts {
  opener: Pick<WorkdirOpener, "openInside" | "openParent" | "openTarget">;
  blobs: Pick<Blobs, "keep">;
  disk: Disk;
  loopYield: LoopYield;
  settings: KeepSettings;
  /** What the last walk found. */
  known: ReadonlyMap<string, Kept>;
  /** What the file system calls now, in nanoseconds: asked before the walk. */
  startedNs: bigint;
  /** Stops between two files, with its reason. */
  signal?: AbortSignal | undefined;
}

const width = 8;
const deepest = 200;
const mostEntries = 200_000;
const neverElsewhere = constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface TreeReader {
  /** Everything in the workdir. Throws what the disk of the store does, and when the workdir cannot be read. */
  everything(): Promise<void>;
  /**
   * What a name in an open directory holds, and what is below it as far as `below` lets it; `path` is the directory's, from the workdir. Answers
   * whether anything has the name.
   */
  name(directory: Opened, path: string, name: string, below?: (real: string) => boolean): Promise<boolean>;
}

/** Fills `tree`. */
export function createTreeReader(parts: KeepParts, tree: Tree): TreeReader {
  const { opener, blobs, disk, loopYield, settings, known } = parts;
  const excluded = new Set(settings.exclude);
  /** Of what is kept. */
  let bytes = 0;

  function leaveOut(path: string): void {
    tree.unknown.push(path);
    tree.notKept.push(path);
  }

  async function keepDirectory(
    directory: Opened,
    path: string,
    depth: number,
    isOpen: (real: string) => boolean,
  ): Promise<void> {
    const names = await readNames(directory, path);
    const below: string[] = [];
    await eachOf(names, width, async (name) => {
      if (excluded.has(name)) return;
      if ((await keepName(directory, path, name)) === "directory") below.push(name);
    });
    for (const name of below.toSorted()) {
      const child = { path: under(path, name), real: join(directory.real, name) };
      if (depth >= deepest || tree.entries.size >= mostEntries) leaveOut(child.path);
      else if (isOpen(child.real)) await descend(directory, name, child, depth, isOpen);
    }
  }

  async function descend(
    parent: Opened,
    name: string,
    { path, real }: { path: string; real: string },
    depth: number,
    isOpen: (real: string) => boolean,
  ): Promise<void> {
    let opened: Opened;
    try {
      const place = join(throughHandle(parent), name);
      opened = { handle: await disk.open(place, directoryFlags | neverElsewhere), real };
    } catch (error) {
      return passOver(error, path);
    }
    try {
      if (!isObjectStore(path) || (await isLittle(opened, path)))
        await keepDirectory(opened, path, depth + 1, isOpen);
    } finally {
      await opened.handle.close();
    }
  }

  /** What is too much to keep is unknown, but for how much it is. */
  async function isLittle(store: Opened, path: string): Promise<boolean> {
    let unkeptBytes: number;
    try {
      unkeptBytes = await bytesBelow(disk, store);
    } catch (error) {
      passOver(error, path);
      return false;
    }
    const found = tree.entries.get(path);
    if (unkeptBytes <= mostObjectBytes || found?.type !== "directory") return true;
    tree.entries.set(path, { ...found, unkeptBytes });
    tree.unknown.push(path);
    return false;
  }

  async function readNames(directory: Opened, path: string): Promise<string[]> {
    const found = await disk.readdir(throughHandle(directory), { encoding: "buffer" });
    return found.flatMap((raw) => {
      const name = raw.toString();
      if (Buffer.from(name).equals(raw)) return [name];
      // No text can name it, so nobody could put it back.
      tree.notKept.push(under(path, name));
      return [];
    });
  }

  async function keepName(
    directory: Opened,
    path: string,
    name: string,
  ): Promise<"directory" | "other" | "none"> {
    const child = under(path, name);
    const place = join(throughHandle(directory), name);
    while (loopYield.isSpent()) await loopYield.turned();
    parts.signal?.throwIfAborted();
    try {
      const stat = await unlessMissing(disk.lstat(place, { bigint: true }));
      if (!stat) return "none";
      if (stat.isDirectory()) {
        tree.entries.set(child, { type: "directory", mode: modeOf(stat) });
        return "directory";
      }
      const kept = await keepContent(place, child, stat);
      if (kept) tree.entries.set(child, kept);
      return kept ? "other" : "none";
    } catch (error) {
      passOver(error, child);
      return "none";
    }
  }

  async function keepContent(place: string, path: string, stat: BigIntStats): Promise<Kept | undefined> {
    if (stat.isSymbolicLink()) {
      const raw = await disk.readlink(place, { encoding: "buffer" });
      const target = raw.toString();
      if (Buffer.from(target).equals(raw)) return { type: "link", target };
      return void leaveOut(path);
    }
    // Pipes, sockets and devices hold nothing.
    if (!stat.isFile()) return void tree.unknown.push(path);
    const before = known.get(path);
    if (before?.type !== "file" || !isUnchanged(before, stat)) return keepFile(place, path);
    bytes += Number(stat.size);
    return before;
  }

  async function keepFile(place: string, path: string): Promise<Kept | undefined> {
    const handle = await disk.open(place, constants.O_RDONLY | neverElsewhere);
    try {
      const stat = await handle.stat({ bigint: true });
      if (!stat.isFile()) return void leaveOut(path);
      const digest = await keepBytes(handle, path, Number(stat.size));
      if (digest === undefined) tree.notKept.push(path);
      const later = await handle.stat({ bigint: true });
      const isFresh = isYoung(stat, parts.startedNs) || seenOf(stat) !== seenOf(later);
      return {
        type: "file",
        mode: modeOf(stat),
        ...(digest === undefined ? {} : { digest }),
        seen: seenOf(stat),
        ...(isFresh ? { isFresh } : {}),
      };
    } finally {
      await handle.close();
    }
  }

  /** A disk that cannot keep it is another trouble than a file that cannot be read. */
  async function keepBytes(handle: FileHandle, path: string, size: number): Promise<string | undefined> {
    const { maxFileBytes, maxBytes } = settings;
    const most = isInObjectStore(path) ? Math.max(maxFileBytes, mostObjectBytes) : maxFileBytes;
    if (size > most || bytes + size > maxBytes) return undefined;
    bytes += size;
    try {
      const digest = await blobs.keep(handle, size, most);
      if (digest === undefined) bytes -= size;
      return digest;
    } catch (error) {
      throw new KeepFailure(error);
    }
  }

  /** What was there and is gone, or another, a moment later: to call it absent would be to call it made when it is there again. */
  function passOver(error: unknown, path: string): void {
    if (error instanceof KeepFailure) throw error.cause;
    const code = errorCode(error) ?? "";
    if (!unreadable.has(code)) throw error;
    if (code === "ENOENT") tree.unknown.push(path);
    else leaveOut(path);
  }

  return {
    async everything() {
      const { isOpen, ...root } = await opener.openInside(".", directoryFlags);
      try {
        await keepDirectory(root, "", 0, isOpen);
      } finally {
        await root.handle.close();
      }
    },
    async name(directory, path, name, below) {
      const found = await keepName(directory, path, name);
      const child = { path: under(path, name), real: join(directory.real, name) };
      if (found === "directory" && below?.(child.real))
        await descend(directory, name, child, child.path.split("/").length, below);
      return tree.entries.has(child.path) || tree.unknown.includes(child.path);
    },
  };
}

class KeepFailure extends Error {
  constructor(cause: unknown) {
    super("what was read could not be kept", { cause });
  }
}

const unreadable = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENXIO",
  "EIO",
  "ENAMETOOLONG",
  "ETXTBSY",
  "ESTALE",
]);

export const under = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);

const modeOf = (stat: BigIntStats): number => Number(stat.mode) & 0o777;

const seenOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size}.${mtimeNs}.${ctimeNs}.${ino}`;

const isUnchanged = (before: Extract<Kept, { type: "file" }>, stat: BigIntStats): boolean =>
  before.digest !== undefined &&
  !before.isFresh &&
  before.seen === seenOf(stat) &&
  before.mode === modeOf(stat);

const second = 1_000_000_000n;

/** Within one tick of the file system's clock a file can change twice and keep its time. Some tick every two seconds, and then their times are whole. */
function isYoung({ ctimeNs }: BigIntStats, startedNs: bigint): boolean {
  const tick = ctimeNs % second === 0n ? (second * 5n) / 2n : second / 20n;
  return ctimeNs > startedNs - tick;
}
