/**
 * Copies of a workdir in which a dry run works: what is changed there is shown, and nothing of it stays. A copy is made
 * with the first call that needs one, and named by the turn: a turn that goes on after a kill finds its own again.
 */
import { createReadStream, createWriteStream } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { unifiedDiff } from "../infra/unified-diff.ts";
import type { TurnDiff } from "./snapshots/snapshots.ts";
import { openChild } from "./open-child.ts";
import { createWorkdirFiles } from "./workdir-files.ts";
import { createWorkdirOpener, directoryFlags, throughHandle, type Opened } from "./workdir-opener.ts";
import { walkTree } from "./walk-tree.ts";

export interface DryCopies {
  /** Where the copy of a turn is, made or not. */
  workdirOf(turnId: string): string;
  isMade(turnId: string): Promise<boolean>;
  /** Safe to repeat. Throws TooLargeToCopy, what the disk does, and the signal's reason. */
  make(turnId: string, workdir: string, signal: AbortSignal): Promise<void>;
  /** What a turn changed in its copy; undefined where none was made. Throws what the disk does. */
  diff(turnId: string): Promise<DryDiff | undefined>;
  /** The turn is over. Never throws; what is left goes with a later copy. */
  drop(turnId: string): Promise<void>;
  /** Resolves when nothing is being dropped any more. Never throws. */
  settled(): Promise<void>;
}

export type DryDiff = Omit<TurnDiff, "setAside">;

/** The message suits the model and people. */
export class TooLargeToCopy extends Error {
  override readonly name = "TooLargeToCopy";
}

export interface DryCopiesParts {
  directory: string;
  /** Pincer's own home. */
  closed: string;
  now(): number;
  most?: { files: number; bytes: number };
}

interface Made {
  workdir: string;
  /** Files and links, from the workdir. */
  names: string[];
}

const usualMost = { files: 100_000, bytes: 1024 * 1024 * 1024 };
const keptMs = 7 * 24 * 60 * 60 * 1000;
const deepest = 200;
const mostShownBytes = 400_000;
const mostTextChars = 1_000_000;

export function createDryCopies({ directory, closed, now, most = usualMost }: DryCopiesParts): DryCopies {
  const placeOf = (turnId: string) => join(directory, turnId);
  const workdirOf = (turnId: string) => join(placeOf(turnId), "work");
  const madeFile = (turnId: string) => join(placeOf(turnId), "made.json");
  const making = new Map<string, Promise<void>>();
  /** By turns of this process. */
  const used = new Set<string>();
  const dropping = new Set<Promise<void>>();

  async function readMade(turnId: string): Promise<Made | undefined> {
    const text = await readFile(madeFile(turnId), "utf8").catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Made);
  }

  async function copy(turnId: string, workdir: string, signal: AbortSignal): Promise<void> {
    used.add(turnId);
    if (await readMade(turnId)) return;
    await dropForgotten();
    const target = workdirOf(turnId);
    // What a kill left half-way.
    await rm(placeOf(turnId), { recursive: true, force: true });
    await mkdir(target, { recursive: true, mode: 0o700 });
    const names: string[] = [];
    let bytes = 0;
    const { isOpen, realRoot: _, ...opened } = await openerOf(workdir).openInside(".", directoryFlags);
    for await (const { path, name, isDirectory, isFile, directory: within } of walkTree(opened, {
      depth: deepest,
      isOpen,
    })) {
      signal.throwIfAborted();
      const to = join(target, path);
      if (isDirectory) await mkdir(to, { recursive: true, mode: 0o700 });
      else if (isFile) bytes += await copyFile(within, name, to);
      else if (!(await copyLink(within, name, to))) continue;
      if (!isDirectory) names.push(path);
      if (names.length > most.files || bytes > most.bytes)
        throw new TooLargeToCopy("the workdir is too large to be copied for a dry run");
    }
    await writeFile(madeFile(turnId), JSON.stringify({ workdir, names } satisfies Made), { mode: 0o600 });
  }

  /** Of turns that never ended. */
  async function dropForgotten(): Promise<void> {
    for (const name of await readdir(directory).catch(() => [])) {
      const found = await stat(placeOf(name)).catch(() => undefined);
      if (found && found.mtimeMs < now() - keptMs)
        await rm(placeOf(name), { recursive: true, force: true }).catch(() => {});
    }
  }

  const openerOf = (workdir: string) => createWorkdirOpener({ workdir, closed });

  return {
    workdirOf,
    isMade: async (turnId) => (await readMade(turnId)) !== undefined,
    async make(turnId, workdir, signal) {
      // Calls of one answer run side by side.
      const work = making.get(turnId) ?? copy(turnId, workdir, signal).finally(() => making.delete(turnId));
      making.set(turnId, work);
      await work;
    },
    async diff(turnId) {
      const made = await readMade(turnId);
      if (!made) return undefined;
      const [before, after] = [made.workdir, workdirOf(turnId)].map((root) =>
        createWorkdirFiles({ workdir: root, closed }),
      ) as [Files, Files];
      const madeAt = (await stat(madeFile(turnId))).mtimeMs;
      const known = new Set(made.names);
      const present = await namesIn(after);
      const changed: string[] = made.names.filter((name) => !present.has(name));
      for (const name of present) {
        // No program can set the time of change.
        const found = await lstat(join(after.root, name)).catch(() => undefined);
        if (found && (found.ctimeMs >= madeAt || !known.has(name))) changed.push(name);
      }
      return diffOf(before, after, changed.filter(isOfPeople).toSorted());
    },
    async drop(turnId) {
      // Other turns than dry runs cost no look at the disk.
      if (!used.delete(turnId)) return;
      const work: Promise<void> = rm(placeOf(turnId), { recursive: true, force: true })
        .catch(() => {})
        .finally(() => dropping.delete(work));
      dropping.add(work);
      await work;
    },
    async settled() {
      await Promise.all(dropping);
    },
  };
}

type Files = ReturnType<typeof createWorkdirFiles>;

async function copyFile(within: Opened, name: string, to: string): Promise<number> {
  const source = await openChild(within, name, "file");
  if (!source) return 0;
  try {
    const { mode, size, atime, mtime } = await source.handle.stat();
    const from = createReadStream("", { fd: source.handle, autoClose: false, start: 0 });
    await pipeline(from, createWriteStream(to, { mode: 0o600 }));
    await chmod(to, (mode & 0o777) | 0o600);
    await utimes(to, atime, mtime);
    return size;
  } finally {
    await source.handle.close();
  }
}

/** False for what is neither a file nor a link. */
async function copyLink(within: Opened, name: string, to: string): Promise<boolean> {
  const target = await readlink(join(throughHandle(within), name)).catch(() => undefined);
  if (target === undefined) return false;
  await symlink(target, to);
  return true;
}

/** A repository's own files say nothing to people. */
const isOfPeople = (path: string): boolean => !path.split("/").slice(0, -1).includes(".git");

async function namesIn(files: Files): Promise<Set<string>> {
  const { names } = await files.list(".", deepest, Infinity);
  return new Set(names.filter((name) => !name.endsWith("/")));
}

async function diffOf(before: Files, after: Files, names: readonly string[]): Promise<DryDiff> {
  const diff: DryDiff = { files: 0, added: 0, removed: 0, text: "", isWhole: true };
  const texts: string[] = [];
  let length = 0;
  for (const path of names) {
    const [old, now] = [await textOf(before, path), await textOf(after, path)];
    if (old === now && typeof old !== "symbol") continue;
    diff.files += 1;
    if (typeof old === "symbol" || typeof now === "symbol") {
      diff.isWhole = false;
      texts.push(`${path}\nnot a text, or too large to show`);
      continue;
    }
    const { text, added, removed } = await unifiedDiff({ path, before: old, after: now });
    diff.added += added;
    diff.removed += removed;
    length += text.length;
    if (length <= mostTextChars) texts.push(text);
    else diff.isWhole = false;
  }
  return { ...diff, text: texts.join("\n") };
}

const unshown = Symbol("unshown");

/** Undefined where there is none. */
async function textOf(files: Files, path: string): Promise<string | undefined | typeof unshown> {
  try {
    const { bytes } = await files.version(path);
    if (!bytes || bytes.length > mostShownBytes || bytes.includes(0)) return unshown;
    return bytes.toString("utf8");
  } catch {
    const link = await readlink(join(files.root, path)).catch(() => undefined);
    return link === undefined ? undefined : `link to ${link}\n`;
  }
}
