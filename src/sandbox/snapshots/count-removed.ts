/** Counts the files that a turn has removed so far, by names alone. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { walkTree, type TreeEntry } from "../walk-tree.ts";
import { directoryFlags, throughHandle, type Opened, type WorkdirOpener } from "../workdir-opener.ts";
import { isInObjectStore } from "./git-objects.ts";
import { unlessRefused } from "./keep-paths.ts";
import type { Kept, State } from "./kept.ts";

export interface HeldBefore {
  /** Everything, where the turn may have changed anything. */
  listed: ReadonlyMap<string, Kept> | undefined;
  /** What single paths held; it counts before the listing. */
  kept: ReadonlyMap<string, State>;
  /** Paths that are not the turn's, and what is below them. */
  unknown: readonly string[];
  exclude: readonly string[];
}

const deepest = 200;

/**
 * How many files lost their name. A moved file still exists: it is recognised by its inode, which is checked only
 * from `many` on, since below that it makes no difference. Objects that git packs do not count as removed.
 */
export async function countRemoved(
  opener: Pick<WorkdirOpener, "openInside" | "openParent">,
  before: HeldBefore,
  many: number,
): Promise<number> {
  const files = filesOf(before);
  if (!before.listed) return countMissing(opener, [...files.keys()]);
  const gone = new Map(files);
  for await (const { path } of walk(opener, before.exclude)) gone.delete(path);
  if (gone.size <= many) return gone.size;
  const moved = new Set<string>();
  for await (const { path, name, directory } of walk(opener, before.exclude))
    if (!files.has(path)) moved.add(`${(await look(directory, name))?.ino}`);
  return [...gone.values()].filter((number) => !moved.has(number)).length;
}

async function* walk(
  opener: Pick<WorkdirOpener, "openInside">,
  exclude: readonly string[],
): AsyncGenerator<TreeEntry> {
  const excluded = new Set(exclude);
  const { isOpen, ...root } = await opener.openInside(".", directoryFlags);
  const enters = (name: string) => !excluded.has(name);
  for await (const entry of walkTree(root, { depth: deepest, isOpen, enters }))
    if (!entry.isDirectory) yield entry;
}

/** By path, each with its number. */
function filesOf({ listed = new Map(), kept, unknown }: HeldBefore): Map<string, string> {
  const isElsewhere = (path: string) =>
    unknown.some((other) => path === other || path.startsWith(`${other}/`));
  const files = new Map<string, string>();
  for (const held of [listed, kept])
    for (const [path, state] of held) {
      if (state?.type !== "file") files.delete(path);
      else if (!isInObjectStore(path) && !isElsewhere(path)) files.set(path, numberOf(state.seen));
    }
  return files;
}

/** The last of what was seen of it. */
const numberOf = (seen: string): string => seen.slice(seen.lastIndexOf(".") + 1);

async function countMissing(
  opener: Pick<WorkdirOpener, "openParent">,
  paths: readonly string[],
): Promise<number> {
  let missing = 0;
  for (const path of paths) {
    const named = await unlessRefused(opener.openParent(path, { make: false }));
    if (named === "missing") missing++;
    if (typeof named === "string") continue;
    if (!(await look(named.directory, named.name))) missing++;
    await named.directory.handle.close();
  }
  return missing;
}

/** Undefined where nothing has the name. */
const look = (directory: Opened, name: string) =>
  lstat(join(throughHandle(directory), name), { bigint: true }).catch(() => undefined);
