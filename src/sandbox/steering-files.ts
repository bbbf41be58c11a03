/**
 * Protects the files of a workdir that steer the assistant. Their content counts as the owner's instructions, so a
 * program must not write it. A wall shows them read-only where it can. What appears or changes all the same while a
 * program runs is quarantined under another name, never deleted, and the original is restored.
 */
import { lstatSync, type Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { isInside } from "./is-inside.ts";
import { createAside } from "./steering-files-aside.ts";
import { inTurn, isStill, listNames, stampOf, takeKnown } from "./steering-files-known.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";
import type { WorkdirOpener } from "./workdir-opener.ts";

export interface SteeringParts {
  /** A real path. */
  workdir: string;
  /** Files and directories directly in the workdir. */
  names: readonly string[];
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
  const { workdir, registry, mostInside = 20_000 } = parts;
  const there = await namesThere(parts);
  const roots = [...new Set([...parts.names, ...there])];
  const isShown = (path: string) =>
    byWall === "read-only" && there.some((name) => isInside(join(workdir, path), join(workdir, name)));
  const before = await takeKnown({ workdir, mostInside }, roots, isShown);
  const aside = createAside(parts);
  /** Our own changes, unmodified since. */
  const own = new Set<string>();
  let isPartial = false;

  const end = registry.follow((real) => {
    const path = relative(workdir, real);
    const isMeant = roots.some((name) => isInside(real, join(workdir, name)));
    if (isMeant && stampNow(real) === before.files.get(path)?.stamp) own.add(path);
  });

  /**
   * Repeats, because moving something away can uncover missing files, and a running program may change them again.
   */
  async function inspect(): Promise<string[]> {
    const named = new Set<string>();
    for (let round = 0; round < mostRounds; round += 1) {
      const differences = (await inTurn(roots, judge)).flat();
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

  async function judge(path: string): Promise<Difference[]> {
    const full = join(workdir, path);
    const stat = await lstat(full).catch(() => undefined);
    if (isShown(path) && !stat?.isSymbolicLink()) return [];
    const isDirectory = stat?.isDirectory() ?? false;
    if (own.has(path) && !isDirectory) return [];
    const file = before.files.get(path);
    if (!stat) return file ? [{ path, act: "put-back" }] : judgeInside(path, []);
    if (isDirectory && !file && isOldOrOwn(path)) return judgeDirectory(path, stat);
    if (file ? await isStill(file, full, stat) : await isEmptyDirectory(full, stat)) return [];
    return [{ path, act: "move" }];
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

  async function judgeDirectory(path: string, { mode }: Stats): Promise<Difference[]> {
    const was = before.directories.get(path);
    if (was?.isWhole === false) {
      isPartial = true;
      return judgeInside(path, []);
    }
    if (isClosed(mode) && !isClosed(was?.mode ?? 0o700)) return [{ path, act: "move-rest" }];
    const { names, isWhole } = await listNames(join(workdir, path), expectedIn(path).size + mostNew);
    return isWhole ? judgeInside(path, names) : [{ path, act: "move-rest" }];
  }

  async function judgeInside(path: string, names: readonly string[]): Promise<Difference[]> {
    const inside = [...new Set([...expectedIn(path), ...names])];
    return (await inTurn(inside, (name) => judge(`${path}/${name}`))).flat();
  }

  /** False if it is impossible. Throws what the disk does. */
  async function mend({ path, act }: Difference): Promise<boolean> {
    if (act === "move") await aside.move(path);
    if (act === "move-rest") await aside.moveRest(path, expectedIn(path), before);
    const was = before.files.get(path);
    if (act !== "put-back" || !was) return true;
    if (was.content) before.files.set(path, await aside.putBack(path, was));
    else isPartial = before.files.delete(path);
    return was.content !== undefined;
  }

  return { there, inspect, isPartial: () => isPartial, end };
}

interface Difference {
  path: string;
  /** `move-rest`: a directory got more entries than are checked one by one; all but the original ones go. */
  act: "move" | "move-rest" | "put-back";
}

const mostRounds = 8;
/** New entries in one directory. */
const mostNew = 200;

/** Links into the workdir count as their targets. */
async function namesThere({ workdir, names }: SteeringParts): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const real = await realpath(join(workdir, name)).catch(() => undefined);
      return real !== undefined && real !== workdir && isInside(real, workdir) ? relative(workdir, real) : [];
    }),
  );
  return [...new Set(found.flat())];
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
