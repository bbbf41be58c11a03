/**
 * The only access to files of the workdir. Everything stays inside it, and out of Pincer's own home, wherever links
 * lead. Directories are read through checked handles. Devices, pipes and the like are refused.
 */
import { constants, statSync } from "node:fs";
import { access as systemAccess, type FileHandle } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createOneAtATime } from "../infra/one-at-a-time.ts";
import { appendToFile } from "./append-to-file.ts";
import { type ChangingFiles, createChangeFiles } from "./change-files.ts";
import { createIsWritable } from "./is-writable.ts";
import { type FilePart, readFilePart, type WantedPart } from "./read-file-part.ts";
import { type Disk, systemDisk } from "./replace-file.ts";
import { type FileSearch, type FoundInFiles, searchFiles } from "./search-files.ts";
import type { Reach } from "./territory.ts";
import { walkTree } from "./walk-tree.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";
import { createWorkdirOpener, directoryFlags, WorkdirError } from "./workdir-opener.ts";

export interface WorkdirFiles extends ChangingFiles {
  root: string;
  /** Whether paths may leave the workdir; Pincer's own home and devices stay closed either way. */
  reach: Reach;
  /**
   * Names in a directory, sorted, directories first with a trailing slash. Links are listed, never followed. Throws
   * WorkdirError.
   */
  list(path: string, depth: number, limit: number): Promise<{ names: string[]; truncated: boolean }>;
  /** The beginning of a text file. Throws WorkdirError. */
  read(path: string, maxBytes: number): Promise<FileText>;
  /** Some lines of a text, a picture, or the type of the file. Throws WorkdirError. */
  readPart(path: string, wanted: WantedPart): Promise<FilePart>;
  /** Matching texts or names. Throws WorkdirError, and the signal's reason. */
  search(search: FileSearch): Promise<FoundInFiles>;
  /** The end of a text file. Throws WorkdirError. */
  readEnd(path: string, maxBytes: number): Promise<FileText>;
  /**
   * Appends to a text file, creating it and its directories for the owner alone if needed. `compose` gets the whole
   * text and returns what to add, "" for nothing; it may throw. One at a time per file; on disk when it resolves.
   * Throws WorkdirError, also if the file would exceed `maxBytes`.
   */
  append(path: string, maxBytes: number, compose: (present: string) => string): Promise<void>;
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
  /** Names whose content changes only through these very names. */
  onlyByName?: readonly string[] | undefined;
  access?: typeof systemAccess;
  disk?: Disk;
  registry?: WorkdirRegistry | undefined;
}

export function createWorkdirFiles({
  workdir,
  closed,
  reach,
  onlyByName,
  access = systemAccess,
  disk = systemDisk,
  registry,
}: WorkdirFilesParts): WorkdirFiles {
  const opener = createWorkdirOpener({ workdir, closed, reach, onlyByName, registry });
  const { root, openInside } = opener;
  const oneAtATime = createOneAtATime();

  return {
    root,
    reach: opener.reach,
    async list(path, depth, limit) {
      const { isOpen, ...opened } = await openInside(path, directoryFlags);
      const names: string[] = [];
      for await (const entry of walkTree(opened, { depth, isOpen })) {
        if (names.length >= limit) return { names, truncated: true };
        names.push(entry.path + (entry.isDirectory ? "/" : ""));
      }
      return { names, truncated: false };
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
      const { handle } = await openInside(path, constants.O_RDONLY);
      return readFilePart(handle, path, wanted);
    },
    search: (search) => searchFiles(opener, search),
    append: (path, maxBytes, compose) =>
      oneAtATime(resolve(root, path), () => appendToFile({ opener, path, maxBytes, compose })),
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
    const bytes = withoutCutCharacter(buffer.subarray(0, bytesRead), from);
    if (bytes.includes(0)) throw new WorkdirError(`${path} is not a text file`);
    // `stream: true` drops a character that the limit cut in two.
    const text = new TextDecoder().decode(bytes, { stream: true });
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
