/** A record of the files that steer the assistant, to detect later changes. */
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { lstat, opendir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** What is known of a name that is no directory. */
export interface KnownFile {
  stamp: string;
  mode: number;
  /** Undefined if it is too large to store, or neither file nor link. */
  content?: { type: "file"; bytes: Buffer } | { type: "link"; to: string };
}

export interface KnownDirectory {
  mode: number;
  names: ReadonlySet<string>;
  /** False if it has more names, or was unreadable: then new ones cannot be detected. */
  isWhole: boolean;
}

/** By paths relative to the workdir. */
export interface Known {
  files: Map<string, KnownFile>;
  directories: Map<string, KnownDirectory>;
}

/**
 * Each directory has its own limit, so that a full one hides no other and no file beside it. Throws what the disk
 * does.
 */
export async function takeKnown(
  { workdir, mostInside }: { workdir: string; mostInside: number },
  names: readonly string[],
  isLeftOut: (path: string) => boolean,
): Promise<Known> {
  const known: Known = { files: new Map(), directories: new Map() };

  /** Returns the path if it is a directory. */
  async function take(path: string, space: { bytes: number }): Promise<string[]> {
    const full = join(workdir, path);
    const stat = await lstat(full).catch(() => undefined);
    // A link that replaces what the wall shows is still recorded.
    if (!stat || known.files.has(path) || (isLeftOut(path) && !stat.isSymbolicLink())) return [];
    if (stat.isDirectory()) return [path];
    const isKept = stat.size <= space.bytes;
    if (isKept) space.bytes -= stat.size;
    const content = isKept ? await contentOf(full, stat) : undefined;
    known.files.set(path, { stamp: stampOf(stat), mode: stat.mode & 0o777, ...(content && { content }) });
    return [];
  }

  async function takeTree(top: string): Promise<void> {
    const space = { bytes: mostBytes, names: mostBelow };
    const ahead = [top];
    for (const path of ahead) {
      if (known.directories.has(path)) continue;
      const full = join(workdir, path);
      const { names: inside, isWhole } = await listNames(full, Math.min(mostInside, space.names));
      space.names -= inside.length;
      const mode = (await lstat(full).catch(() => undefined))?.mode ?? 0o755;
      known.directories.set(path, { mode: mode & 0o777, names: new Set(inside), isWhole });
      ahead.push(...(await inTurn(inside, (name) => take(`${path}/${name}`, space))).flat());
    }
  }

  // Single files first, so that no directory can hide them.
  const trees = await inTurn(names, (name) => take(name, { bytes: mostBytes }));
  for (const tree of trees.flat()) await takeTree(tree);
  return known;
}

/** For a single file, or for everything below one directory. */
const mostBytes = 4_000_000;
/** Below one directory, at any depth. */
const mostBelow = 100_000;

/** The first names of a directory. An unreadable one has none, and is not whole. */
export async function listNames(full: string, most: number): Promise<{ names: string[]; isWhole: boolean }> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(full, { bufferSize: 1024 })) {
      if (names.length >= most) return { names, isWhole: false };
      names.push(name);
    }
    return { names, isWhole: true };
  } catch {
    return { names: [], isWhole: false };
  }
}

/** It may have been touched without a change. */
export async function isStill(was: KnownFile, full: string, stat: Stats): Promise<boolean> {
  if (was.stamp === stampOf(stat)) return true;
  if (was.content?.type === "file" && was.content.bytes.length !== stat.size) return false;
  const is = was.content && (await contentOf(full, stat));
  if (was.content?.type === "link") return is?.type === "link" && was.content.to === is.to;
  return was.content?.type === "file" && is?.type === "file" && was.content.bytes.equals(is.bytes);
}

export const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino}:${size}:${mtimeMs}:${ctimeMs}`;

/** Undefined also if unreadable. */
async function contentOf(full: string, stat: Stats): Promise<KnownFile["content"]> {
  try {
    if (stat.isSymbolicLink()) return { type: "link", to: await readlink(full) };
    return stat.isFile() ? { type: "file", bytes: await readFile(full, { flag: asItStands }) } : undefined;
  } catch {
    return undefined;
  }
}

/** A text of at most this size; undefined for everything else. Follows no link at its end, and waits for nothing. */
export async function smallText(full: string): Promise<string | undefined> {
  const stat = await lstat(full).catch(() => undefined);
  if (!stat?.isFile() || stat.size > mostSmallBytes) return undefined;
  const found = await contentOf(full, stat);
  return found?.type === "file" ? found.bytes.toString("utf8") : undefined;
}

const mostSmallBytes = 64 * 1024;

/** A pipe or a link may have replaced it meanwhile: do not block on it, do not follow it. */
const asItStands = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** With limited concurrency; results in input order. */
export async function inTurn<Thing, Answer>(
  things: readonly Thing[],
  ask: (thing: Thing) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < things.length; at += mostAtOnce)
    answers.push(...(await Promise.all(things.slice(at, at + mostAtOnce).map(ask))));
  return answers;
}

const mostAtOnce = 32;
