/**
 * Git's object stores. Their files are only added and never changed, so storing them costs their size once; if that
 * is too much, only the amount is noted, so that a loss can be reported.
 */
import { constants } from "node:fs";
import { join } from "node:path";
import { directoryFlags, throughHandle, type Opened } from "../workdir-opener.ts";
import { unlessMissing, type Disk } from "./disk.ts";
import { eachOf } from "./each-of.ts";
import type { Change, Kept } from "./kept.ts";

/** Of one repository. */
export const mostObjectBytes: number = 50 * 1024 * 1024;

const deepest = 6;
const width = 8;

export const isObjectStore = (path: string): boolean => wayIntoObjects(path) === 0;

export const isInObjectStore = (path: string): boolean => (wayIntoObjects(path) ?? 0) > 0;

/** Other commits, made by anybody since, may need it: it is never taken away again. */
export const isAddedObject = ({ path, before }: Change): boolean =>
  before === null && wayIntoObjects(path) !== undefined;

/** How many names below a store of objects; undefined outside of any. A branch may be called so, too. */
function wayIntoObjects(path: string): number | undefined {
  const names = path.split("/");
  const git = names.indexOf(".git");
  const objects = names.indexOf("objects", git);
  const isStore =
    git >= 0 && objects >= 0 && !names.slice(git, objects).some((name) => name === "refs" || name === "logs");
  return isStore ? names.length - 1 - objects : undefined;
}

/** The stores that were too much to keep and have lost something since. */
export const shrunkStores = (before: ReadonlyMap<string, Kept>, after: ReadonlyMap<string, Kept>): string[] =>
  [...before].flatMap(([path, kept]) => (unkeptOf(after.get(path)) < unkeptOf(kept) ? [path] : []));

const unkeptOf = (kept: Kept | undefined): number =>
  kept?.type === "directory" ? (kept.unkeptBytes ?? 0) : 0;

/** How much an open directory holds. Follows no link. Throws what the disk does. */
export async function bytesBelow(disk: Disk, directory: Opened, depth = 0): Promise<number> {
  const place = throughHandle(directory);
  const names = await disk.readdir(place, { withFileTypes: true });
  let bytes = 0;
  await eachOf(names, width, async (entry) => {
    if (!entry.isFile()) return;
    bytes += (await unlessMissing(disk.lstat(join(place, entry.name))))?.size ?? 0;
  });
  for (const { name } of names.filter((entry) => entry.isDirectory() && depth < deepest)) {
    const flags = directoryFlags | constants.O_NOFOLLOW;
    const handle = await unlessMissing(disk.open(join(place, name), flags));
    if (!handle) continue;
    try {
      bytes += await bytesBelow(disk, { handle, real: join(directory.real, name) }, depth + 1);
    } finally {
      await handle.close();
    }
  }
  return bytes;
}
