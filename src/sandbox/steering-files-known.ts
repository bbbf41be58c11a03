/** What stands in the files that steer the assistant at a moment, as far as it can be told from what stands there later. */
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { lstat, opendir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** What is known of one name that is no directory. */
export interface KnownFile {
  stamp: string;
  mode: number;
  /** Undefined where it is too large to be kept, or neither file nor link. */
  content?: { type: "file"; bytes: Buffer } | { type: "link"; to: string };
}

export interface KnownDirectory {
  mode: number;
  names: ReadonlySet<string>;
  /** False where it has more names, or could not be read: nothing tells then what is new in it. */
  isWhole: boolean;
}

/** By paths relative to the workdir. */
export interface Known {
  files: Map<string, KnownFile>;
  directories: Map<string, KnownDirectory>;
}

/** Each directory has a bound of its own, so that one that is full hides no other and no file beside it. Throws what the disk does. */
export async function takeKnown(
  { workdir, mostInside }: { workdir: string; mostInside: number },
  names: readonly string[],
  isLeftOut: (path: string) => boolean,
): Promise<Known> {
  const known: Known = { files: new Map(), directories: new Map() };

  /** Answers with the path where it is a directory. */
  async function take(path: string, space: { bytes: number }): Promise<string[]> {
    const full = join(workdir, path);
    const stat = await lstat(full).catch(() => undefined);
    // A link in the place of what the wall shows is looked at all the same.
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

  // Files that stand alone first: nothing that is in a directory is to hide them.
  const trees = await inTurn(names, (name) => take(name, { bytes: mostBytes }));
  for (const tree of trees.flat()) await takeTree(tree);
  return known;
}

/** Of a file that stands alone, or of all below one directory. */
const mostBytes = 4_000_000;
/** Below one directory, however many there are inside each. */
const mostBelow = 100_000;

/** The first names of a directory. One that cannot be read has none, and is not whole. */
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

/** Somebody may have touched it and changed nothing. */
export async function isStill(was: KnownFile, full: string, stat: Stats): Promise<boolean> {
  if (was.stamp === stampOf(stat)) return true;
  if (was.content?.type === "file" && was.content.bytes.length !== stat.size) return false;
  const is = was.content && (await contentOf(full, stat));
  if (was.content?.type === "link") return is?.type === "link" && was.content.to === is.to;
  return was.content?.type === "file" && is?.type === "file" && was.content.bytes.equals(is.bytes);
}

export const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino}:${size}:${mtimeMs}:${ctimeMs}`;

/** Undefined also for what cannot be read. */
async function contentOf(full: string, stat: Stats): Promise<KnownFile["content"]> {
  try {
    if (stat.isSymbolicLink()) return { type: "link", to: await readlink(full) };
    return stat.isFile() ? { type: "file", bytes: await readFile(full, { flag: asItStands }) } : undefined;
  } catch {
    return undefined;
  }
}

/** A pipe or a link may have taken its place since it was looked at: neither is waited for nor followed. */
const asItStands = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Some at a time, the answers in the order of the things. */
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
