/** Walks a directory tree by checked handles. Lists links, and never follows them. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openChild } from "./open-child.ts";
import { type Limits, type Opened, throughHandle } from "./workdir-opener.ts";

export interface TreeEntry {
  /** Relative to the start of the walk. */
  path: string;
  name: string;
  isDirectory: boolean;
  isFile: boolean;
  /** The containing directory; open until the walk continues. */
  directory: Opened;
}

export interface TreeWalk {
  depth: number;
  isOpen: Limits["isOpen"];
  /** Whether to enter a directory. */
  enters?(name: string): boolean;
}

/** Depth first, directories before files, sorted. Closes the given directory, also when left early. */
export async function* walkTree(
  directory: Opened,
  { depth, isOpen, enters = () => true }: TreeWalk,
  prefix = "",
): AsyncGenerator<TreeEntry> {
  try {
    // By handle, not by path: reads what was checked.
    const children = await readdir(throughHandle(directory), { withFileTypes: true });
    children.sort(directoriesFirst);
    for (const child of children) {
      if (!isOpen(join(directory.real, child.name))) continue;
      const path = prefix + child.name;
      const [isDirectory, isFile] = [child.isDirectory(), child.isFile()];
      yield { path, name: child.name, isDirectory, isFile, directory };
      if (!isDirectory || depth <= 1 || !enters(child.name)) continue;
      const below = await openChild(directory, child.name, "directory");
      if (below) yield* walkTree(below, { depth: depth - 1, isOpen, enters }, `${path}/`);
    }
  } finally {
    await directory.handle.close();
  }
}

const directoriesFirst = (a: Dirent, b: Dirent) =>
  Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1);
