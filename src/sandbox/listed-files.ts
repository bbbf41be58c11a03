/**
 * Finds the files of a workdir that run by themselves, at any depth. A directory whose time of change (ctime, which no
 * program can set) is the same is not read again, so that a search after each program costs one look at each
 * directory. Links are listed, never followed.
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { createLoopYield, type LoopYield } from "../infra/loop-yield.ts";

/** Which files those are; all paths are relative to the workdir. */
export interface ListedFiles {
  /** The file or directory on the list that a path is or lies in. */
  rootOf(path: string): { path: string; isDirectory: boolean } | undefined;
  /** Whether a path with this last name may be on the list; quick. */
  mayBe(name: string): boolean;
  /** Whether something on the list may lie below: a link there counts as one. */
  leadsTo(path: string): boolean;
  /** Whether a new one is left alone, by its content. */
  runsNothing(path: string, text: string): boolean;
  /** Directories that are on the list because this file says so; it is read if need be. */
  declaredIn(path: string, read: () => Promise<string>): Promise<string[]>;
}

export interface FoundListed {
  /** Existing ones. */
  roots: string[];
  /** False if the workdir has more directories than are searched, or some could not be read. */
  isWhole: boolean;
}

export interface ListedSearch {
  /** Never throws. */
  find(): Promise<FoundListed>;
}

interface KnownDirectory {
  stamp: string;
  below: string[];
  roots: string[];
}

const mostDirectories = 100_000;

/** `now`: the time in milliseconds as file systems have it. */
export function createListedSearch({
  workdir,
  listed,
  most = mostDirectories,
  now = Date.now,
  loopYield = createLoopYield(),
}: {
  /** A real path. */
  workdir: string;
  listed: ListedFiles;
  most?: number;
  now?: () => number;
  loopYield?: LoopYield;
}): ListedSearch {
  let known = new Map<string, KnownDirectory>();
  let searching: Promise<FoundListed> | undefined;

  async function search(): Promise<FoundListed> {
    const next = new Map<string, KnownDirectory>();
    const roots: string[] = [];
    const ahead = [""];
    let isWhole = true;
    for (const path of ahead) {
      while (loopYield.isSpent()) await loopYield.turned();
      const directory = look(path);
      if (directory === "unread") isWhole = false;
      if (typeof directory === "string") continue;
      next.set(path, directory);
      roots.push(...directory.roots);
      for (const below of directory.below)
        if (ahead.length < most) ahead.push(below);
        else isWhole = false;
    }
    known = next;
    return { roots, isWhole };
  }

  /** Synchronous: waiting for each of many directories takes several times as long as looking at it. */
  function look(path: string): KnownDirectory | "gone" | "unread" {
    const full = join(workdir, path);
    try {
      const stat = lstatSync(full, { throwIfNoEntry: false });
      if (!stat?.isDirectory()) return "gone";
      const stamp = stampOf(stat);
      const before = known.get(path);
      if (before?.stamp === stamp) return before;
      const isYoung = stat.ctimeMs > now() - youngMs;
      const directory: KnownDirectory = { stamp: isYoung ? "" : stamp, below: [], roots: [] };
      for (const entry of readdirSync(full, { withFileTypes: true })) {
        const child = path === "" ? entry.name : `${path}/${entry.name}`;
        if (isRoot(child, entry.name, entry)) directory.roots.push(child);
        else if (entry.isDirectory() && isEntered(child, entry.name)) directory.below.push(child);
      }
      return directory;
    } catch {
      return "unread";
    }
  }

  function isRoot(
    path: string,
    name: string,
    entry: { isDirectory(): boolean; isSymbolicLink(): boolean },
  ): boolean {
    if (!listed.mayBe(name)) return false;
    const root = listed.rootOf(path);
    if (root?.path === path) return root.isDirectory || !entry.isDirectory();
    return entry.isSymbolicLink() && listed.leadsTo(path);
  }

  /** In a repository only the way to what is listed: its objects are many. */
  const isEntered = (path: string, name: string): boolean =>
    !/(?:^|\/)\.git\//i.test(path) || (!stores.has(name.toLowerCase()) && listed.leadsTo(path));

  return {
    // Those who ask meanwhile could miss what changed since it began.
    find: async () => {
      const before = searching;
      const mine = (async () => {
        await before;
        return search();
      })();
      searching = mine;
      return mine;
    },
  };
}

const stores: ReadonlySet<string> = new Set(["objects", "refs", "logs", "lfs"]);

/** Within one tick of the file system a directory can change twice and keep its time; some tick every two seconds. */
const youngMs = 2500;

const stampOf = ({ ino, ctimeMs }: Stats): string => `${ino}:${ctimeMs}`;
