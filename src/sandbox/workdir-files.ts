/**
 * The only access to files of the workdir. Everything stays inside it, and out of Pincer's own home, wherever links
 * lead. Directories are read through checked handles. Devices, pipes and the like are refused.
 */
import { constants, statSync } from "node:fs";
import { access as systemAccess, type FileHandle, lstat, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { createOneAtATime } from "../infra/one-at-a-time.ts";
import { appendToFile } from "./append-to-file.ts";
import { type ChangingFiles, createChangeFiles, type WriteOptions } from "./change-files.ts";
import { readWhole, versionOfDirectory, type FileVersion, type WholeFile } from "./file-version.ts";
import { isInside } from "./is-inside.ts";
import { createIsWritable } from "./is-writable.ts";
import { type FilePart, readFilePart, type WantedPart } from "./read-file-part.ts";
import { type Disk, systemDisk } from "./replace-file.ts";
import { type FileSearch, type FoundInFiles, searchFiles } from "./search-files.ts";
import type { Reach } from "./territory.ts";
import { walkTree } from "./walk-tree.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";
import { createWorkdirOpener, directoryFlags, type Opened, WorkdirError } from "./workdir-opener.ts";

export interface WorkdirFiles extends ChangingFiles {
  root: string;
  /** Whether paths may leave the workdir; Pincer's own home and devices stay closed either way. */
  reach: Reach;
  /**
   * Names in a directory, sorted, directories first with a trailing slash. Links are listed, never followed. `seen` are
   * the directories. Throws WorkdirError.
   */
  list(
    path: string,
    depth: number,
    limit: number,
    /** Names of directories that are listed, and not entered. */
    closed?: ReadonlySet<string>,
  ): Promise<{ names: string[]; truncated: boolean; seen: FileVersion[] }>;
  /** The beginning of a text file. Throws WorkdirError. */
  read(path: string, maxBytes: number): Promise<FileText>;
  /** Some lines of a text, a picture, or the type of the file. Throws WorkdirError. */
  readPart(path: string, wanted: WantedPart): Promise<FilePart & { version: FileVersion }>;
  /** The file as a whole, unless it is too large, or what it is, for a directory, too. Throws WorkdirError. */
  version(path: string): Promise<WholeFile>;
  /** When each part of the path was last changed, links included, and all that lies on the way to the real file. Never throws. */
  changedAt(path: string): Promise<number[]>;
  /** Matching texts or names. Throws WorkdirError, and the signal's reason. */
  search(search: FileSearch): Promise<FoundInFiles>;
  /** The end of a text file. Throws WorkdirError. */
  readEnd(path: string, maxBytes: number): Promise<FileText>;
  /**
   * Appends to a text file, creating it and its directories for the owner alone if needed. `compose` gets the whole
   * text and returns what to add, "" for nothing; it may throw. One at a time per file; on disk when it resolves.
   * Throws WorkdirError, also if the file would exceed `maxBytes`.
   */
  append(
    path: string,
    maxBytes: number,
    compose: (present: string) => string,
    options?: Pick<WriteOptions, "before">,
  ): Promise<void>;
  /** Whether a file could be written there, as far as we can tell without writing. Never throws. */
  isWritable(path: string): Promise<boolean>;
  /** Changes whenever the file does; "" if there is none. One stat, opens nothing. Never throws. */
  stamp(path: string): string;
}

export interface FileText {
  text: string;
  /** In bytes, of the whole. */
  size: number;
  truncated: boolean;
}

export interface WorkdirFilesParts {
  workdir: string;
  /** A directory with keys and secrets that is never readable, except for a workdir inside it. */
  closed: string;
  /** `workdir` by default. */
  reach?: Reach | undefined;
  /** What changes only under its own name: see `WorkdirOpenerParts`. */
  countsAs?: ((path: string) => string | undefined) | undefined;
  access?: typeof systemAccess;
  disk?: Disk;
  registry?: WorkdirRegistry | undefined;
}

export function createWorkdirFiles({
  workdir,
  closed,
  reach,
  countsAs,
  access = systemAccess,
  disk = systemDisk,
  registry,
}: WorkdirFilesParts): WorkdirFiles {
  const opener = createWorkdirOpener({ workdir, closed, reach, countsAs, registry });
  const { root, openInside } = opener;
  const oneAtATime = createOneAtATime();

  return {
    root,
    reach: opener.reach,
    async list(path, depth, limit, closedNames) {
      const { isOpen, realRoot, ...opened } = await openInside(path, directoryFlags);
      const names: string[] = [];
      const seen = new Map<string, FileVersion>();
      const see = async (directory: Opened) => {
        if (!seen.has(directory.real))
          seen.set(directory.real, await versionOfDirectory(directory, realRoot));
      };
      await see(opened);
      for await (const entry of walkTree(opened, {
        depth,
        isOpen,
        enters: (name) => !closedNames?.has(name),
      })) {
        await see(entry.directory);
        if (names.length >= limit) return { names, truncated: true, seen: [...seen.values()] };
        names.push(entry.path + (entry.isDirectory ? "/" : ""));
      }
      return { names, truncated: false, seen: [...seen.values()] };
    },
    async read(path, maxBytes) {
      const { handle } = await openInside(path, constants.O_RDONLY);
      return readText(handle, path, (size) => ({ from: 0, to: Math.min(maxBytes, size) }));
    },
    async readEnd(path, maxBytes) {
      const { handle } = await openInside(path, constants.O_RDONLY);
      return readText(handle, path, (size) => ({ from: Math.max(0, size - maxBytes), to: size }));
    },
    async readPart(path, wanted) {
      const { handle, real, realRoot } = await openInside(path, constants.O_RDONLY);
      return readFilePart(handle, path, wanted, { real, realRoot });
    },
    async version(path) {
      const { handle, real, realRoot } = await openInside(path, constants.O_RDONLY);
      try {
        const stat = await handle.stat();
        if (!stat.isDirectory()) return await readWhole(handle, { real, realRoot });
        return { bytes: undefined, version: await versionOfDirectory({ handle, real }, realRoot) };
      } finally {
        await handle.close();
      }
    },
    changedAt: (path) => changedAt(root, path),
    search: (search) => searchFiles(opener, search),
    append: (path, maxBytes, compose, { before } = {}) =>
      oneAtATime(resolve(root, path), () => appendToFile({ opener, path, maxBytes, compose, before })),
    ...createChangeFiles({ opener, disk, oneAtATime }),
    isWritable: createIsWritable({ opener, access }),
    stamp(path) {
      try {
        // Synchronous: called many times before each turn, and a promise costs far more than the stat.
        const found = statSync(join(root, path), { bigint: true, throwIfNoEntry: false });
        if (!found) return "";
        return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");
      } catch {
        // Not accessible: a read reports why.
        return "";
      }
    },
  };
}

/** The names that lead to it from the workdir, and those that lead to where it really is; the workdir itself is not among them. */
async function changedAt(root: string, path: string): Promise<number[]> {
  const realRoot = await realpath(root).catch(() => root);
  const named = resolve(root, path);
  const real = await realpath(named).catch(() => named);
  const ways = [
    ...namesBelow(root, named),
    ...(isInside(real, realRoot) ? namesBelow(realRoot, real) : [real]),
  ];
  const stats = await Promise.all([...new Set(ways)].map((way) => lstat(way).catch(() => undefined)));
  return stats.flatMap((stat) => (stat ? [stat.ctimeMs] : []));
}

function namesBelow(root: string, path: string): string[] {
  const names = relative(root, path).split(sep).filter(Boolean);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}

/** A part of a text. Throws WorkdirError if it is none. */
export function decodeText(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw new WorkdirError(`${path} is not a text file`);
  // `stream: true` drops a character that the limit cut in two.
  return new TextDecoder().decode(bytes, { stream: true });
}

/** Closes the given file. */
async function readText(
  handle: FileHandle,
  path: string,
  part: (size: number) => { from: number; to: number },
): Promise<FileText> {
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new WorkdirError(`${path} is a directory; list it instead`);
    const { from, to } = part(stat.size);
    const buffer = Buffer.alloc(to - from);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const text = decodeText(withoutCutCharacter(buffer.subarray(0, bytesRead), from), path);
    return { text, size: stat.size, truncated: stat.size > bytesRead };
  } finally {
    await handle.close();
  }
}

/** Drops the rest of a character that began before `from`. */
function withoutCutCharacter(bytes: Uint8Array, from: number): Uint8Array {
  if (from === 0) return bytes;
  const isContinued = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
  let start = 0;
  while (start < 3 && isContinued(bytes[start])) start += 1;
  return bytes.subarray(start);
}
