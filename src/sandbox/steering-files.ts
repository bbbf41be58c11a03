/**
 * Protects the files of a workdir that steer the assistant, whose content counts as the owner's instructions, and in
 * tainted turns those that run by themselves outside every wall. A wall shows them read-only where it can. What appears
 * or changes all the same while a program runs is quarantined under another name, never deleted, and the original is
 * restored.
 */
import { lstatSync, type Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isInside } from "./is-inside.ts";
import { createAside } from "./steering-files-aside.ts";
import type { ListedFiles, ListedSearch } from "./listed-files.ts";
import { inTurn, isStill, listNames, smallText, stampOf, takeKnown } from "./steering-files-known.ts";
import type { PutBack } from "./programs/program.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";
import type { WorkdirOpener } from "./workdir-opener.ts";

export interface SteeringParts {
  /** A real path. */
  workdir: string;
  /** Files and directories directly in the workdir. */
  names: readonly string[];
  /** What else is protected, at any depth. */
  listed?: { files: ListedFiles; search: ListedSearch } | undefined;
  opener: Pick<WorkdirOpener, "openParent">;
  /** Reports our own changes, which stay. */
  registry: Pick<WorkdirRegistry, "follow">;
  /** How many names of one directory are checked; 20,000 by default. */
  mostInside?: number | undefined;
}

export interface SteeringWatch {
  /** The existing ones, without links, for a wall to show read-only. */
  there: readonly string[];
  /** Restores what has changed, and returns its names. Safe to repeat. Throws what the disk does. */
  inspect(): Promise<string[]>;
  /** Where the changes are kept, and which would have run by themselves. */
  putBack(): Readonly<Record<string, PutBack>>;
  guardsAll: boolean;
  /** Whether an inspection so far could not check or restore everything. */
  isPartial(): boolean;
  /** Ends the watch. Safe to call twice. */
  end(): void;
}

/** `byWall`: the program cannot write what exists already, so only new files count. Throws what the disk does. */
export async function watchSteeringFiles(
  parts: SteeringParts,
  byWall: "read-only" | "writable",
): Promise<SteeringWatch> {
  const { workdir, registry, listed, mostInside = 20_000 } = parts;
  const named = await placesOf(workdir, parts.names);
  const found = (await listed?.search.find()) ?? { roots: [], isWhole: true };
  const declared = listed ? await declaredBy(workdir, listed.files, found.roots) : [];
  const running = await placesOf(workdir, [...found.roots, ...declared]);
  const there = [...new Set([...named, ...running.filter(canBeShown).slice(0, mostShown)])];
  const roots = new Set([...parts.names, ...named, ...found.roots, ...declared, ...running]);
  const isShown = (path: string) =>
    byWall === "read-only" && there.some((name) => isInside(join(workdir, path), join(workdir, name)));
  const before = await takeKnown({ workdir, mostInside }, [...roots], isShown);
  const aside = createAside(parts);
  /** Our own changes, unmodified since. */
  const own = new Set<string>();
  const putBack: Record<string, PutBack> = {};
  let isPartial = !found.isWhole;

  const end = registry.follow((real) => {
    const path = relative(workdir, real);
    const isMeant =
      roots.values().some((name) => isInside(real, join(workdir, name))) || listed?.files.rootOf(path);
    if (isMeant && stampNow(real) === before.files.get(path)?.stamp) own.add(path);
  });

  /**
   * Repeats, because moving something away can uncover missing files, and a running program may change them again.
   */
  async function inspect(): Promise<string[]> {
    const named = new Set<string>();
    for (let round = 0; round < mostRounds; round += 1) {
      const differences = (await inTurn([...roots, ...(await appeared())], judgeRoot)).flat();
      if (differences.length === 0) return [...named];
      let isAnyMended = false;
      for (const difference of differences) {
        // One failure must not prevent the other repairs; what is left shows in the next round.
        const isMended = await mend(difference).catch(() => false);
        if (isMended) named.add(difference.path);
        isAnyMended ||= isMended;
      }
      if (!isAnyMended) break;
    }
    isPartial = true;
    return [...named];
  }

  /** What is on the list by now, and was not there before. */
  async function appeared(): Promise<string[]> {
    const now = await listed?.search.find();
    if (now && !now.isWhole) isPartial = true;
    return now?.roots.filter((path) => !roots.has(path)) ?? [];
  }

  const judgeRoot = async (root: string): Promise<Difference[]> =>
    (await judge(root, root)).map((difference) => ({ ...difference, root }));

  async function judge(path: string, root: string): Promise<Found[]> {
    const full = join(workdir, path);
    const stat = await lstat(full).catch(() => undefined);
    if (isShown(path) && !stat?.isSymbolicLink()) return [];
    const isDirectory = stat?.isDirectory() ?? false;
    if (own.has(path) && !isDirectory) return [];
    const file = before.files.get(path);
    if (!stat && !(await isPlaceThere(root))) return [];
    if (!stat) return file ? [{ path, act: "put-back" }] : judgeInside(path, root, []);
    if (isDirectory && !file && isOldOrOwn(path)) return judgeDirectory(path, root, stat);
    if (file ? await isStill(file, full, stat) : await isNothing(path, stat)) return [];
    return [{ path, act: "move" }];
  }

  /** A repository that is gone as a whole runs nothing, and is not made again. */
  async function isPlaceThere(root: string): Promise<boolean> {
    const stat = await lstat(join(workdir, root, "..")).catch(() => undefined);
    return stat?.isDirectory() ?? false;
  }

  /** New, and neither steers nor runs. */
  async function isNothing(path: string, stat: Stats): Promise<boolean> {
    const full = join(workdir, path);
    if (await isEmptyDirectory(full, stat)) return true;
    if (!listed?.files.rootOf(path)) return false;
    if (!stat.isDirectory()) {
      const text = await smallText(full);
      return text !== undefined && listed.files.runsNothing(path, text);
    }
    const { names, isWhole } = await listNames(full, mostNew);
    const inside = await inTurn(names, async (name) => {
      const below = await lstat(join(full, name)).catch(() => undefined);
      return below !== undefined && !below.isDirectory() && (await isNothing(`${path}/${name}`, below));
    });
    return isWhole && inside.every(Boolean);
  }

  /** Any other directory is moved as a whole. */
  const isOldOrOwn = (path: string): boolean =>
    before.directories.has(path) || own.has(path) || ownInside(path).length > 0;

  const ownInside = (path: string): string[] =>
    [...own]
      .filter((each) => each.startsWith(`${path}/`))
      .flatMap((each) => each.slice(path.length + 1).split("/", 1));

  const expectedIn = (path: string): Set<string> =>
    new Set([...(before.directories.get(path)?.names ?? []), ...ownInside(path)]);

  async function judgeDirectory(path: string, root: string, { mode }: Stats): Promise<Found[]> {
    const was = before.directories.get(path);
    if (was?.isWhole === false) {
      isPartial = true;
      return judgeInside(path, root, []);
    }
    if (isClosed(mode) && !isClosed(was?.mode ?? 0o700)) return [{ path, act: "move-rest" }];
    const { names, isWhole } = await listNames(join(workdir, path), expectedIn(path).size + mostNew);
    return isWhole ? judgeInside(path, root, names) : [{ path, act: "move-rest" }];
  }

  async function judgeInside(path: string, root: string, names: readonly string[]): Promise<Found[]> {
    const inside = [...new Set([...expectedIn(path), ...names])];
    return (await inTurn(inside, (name) => judge(`${path}/${name}`, root))).flat();
  }

  /** False if it is impossible. Throws what the disk does. */
  async function mend({ path, root, act }: Difference): Promise<boolean> {
    const runs = !parts.names.includes(root) && !named.includes(root);
    if (act === "move")
      putBack[path] = { keptAs: await aside.move(path, root), ...(runs && { runs: true as const }) };
    if (act === "move-rest") await aside.moveRest({ path, root }, expectedIn(path), before);
    const was = before.files.get(path);
    if (act !== "put-back" || !was) return true;
    if (was.content) before.files.set(path, await aside.putBack(path, was));
    else isPartial = before.files.delete(path);
    return was.content !== undefined;
  }

  return {
    there,
    inspect,
    putBack: () => ({ ...putBack }),
    guardsAll: listed !== undefined,
    isPartial: () => isPartial,
    end,
  };
}

interface Difference extends Found {
  /** The protected name that it is or lies in. */
  root: string;
}

interface Found {
  path: string;
  /** `move-rest`: a directory got more entries than are checked one by one; all but the original ones go. */
  act: "move" | "move-rest" | "put-back";
}

const mostRounds = 8;
/** New entries in one directory. */
const mostNew = 200;

/** So many of those that run by themselves are shown read-only; the others are restored. */
const mostShown = 200;

/** Not every wall can be told of every path. */
const canBeShown = (path: string): boolean => !/[,:"'\\\p{Cc}]/u.test(path);

/** What these names lead to. Links into the workdir count as their targets. */
async function placesOf(workdir: string, names: readonly string[]): Promise<string[]> {
  const found = await inTurn(names, async (name) => {
    const real = await realpath(join(workdir, name)).catch(() => undefined);
    return real !== undefined && real !== workdir && isInside(real, workdir) ? relative(workdir, real) : [];
  });
  return [...new Set(found.flat())];
}

async function declaredBy(workdir: string, files: ListedFiles, roots: readonly string[]): Promise<string[]> {
  const read = (root: string) => async () => (await smallText(join(workdir, root))) ?? "";
  const found = await inTurn(roots, (root) => files.declaredIn(root, read(root)));
  const inside = found.flat().map((path) => resolve(workdir, path));
  return inside
    .filter((path) => path !== workdir && isInside(path, workdir))
    .map((path) => relative(workdir, path));
}

/** Without search permission we see nothing new in a directory, until a later program opens it again. */
const isClosed = (mode: number): boolean => (mode & 0o500) !== 0o500;

/**
 * An empty directory steers nothing yet, and we may be about to write in it. An unreadable one does not count as
 * empty.
 */
async function isEmptyDirectory(full: string, stat: Stats): Promise<boolean> {
  if (!stat.isDirectory()) return false;
  const { names, isWhole } = await listNames(full, 1);
  return isWhole && names.length === 0;
}

function stampNow(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && stampOf(stat);
}
