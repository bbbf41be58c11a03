/**
 * Resolves a path of the config to a plugin file, and checks whether it may be loaded: only if nobody but the owner
 * (or root) can change it, and never from a place where an agent writes. Links are resolved first.
 */
import { constants } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { TextKey } from "../infra/texts.ts";

export type LocatedPlugin =
  | { type: "found"; entry: string }
  | { type: "refused"; key: TextKey; parameters: Record<string, string> };

export interface PluginPlaces {
  /** Where agents write: nothing in them is loaded. */
  workspaces: readonly string[];
  /** Whose files may be loaded, besides root's; undefined where files have no owner. */
  userId: number | undefined;
}

/** Never throws. */
export async function locatePlugin(path: string, places: PluginPlaces): Promise<LocatedPlugin> {
  if (!isAbsolute(path)) return refuse("plugins.not-absolute");
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined) return refuse("plugins.missing");
  const isFolder = (await stat(root)).isDirectory();
  const named = isFolder ? await entryOf(root) : root;
  const entry = named === undefined ? undefined : await realpath(named).catch(() => undefined);
  if (entry === undefined) return refuse("plugins.no-entry");
  if (isFolder && !isWithin(entry, root)) return refuse("plugins.entry-outside");
  const workspace = await workspaceOf(entry, places.workspaces);
  if (workspace !== undefined) return refuse("plugins.in-workspace", { place: workspace });
  return (await flawOfRights(entry, places.userId)) ?? { type: "found", entry };
}

/** What package.json names, else the usual names. */
async function entryOf(folder: string): Promise<string | undefined> {
  const named = await readEntry(join(folder, "package.json"));
  const candidates = named === undefined ? ["index.ts", "index.js", "index.mjs"] : [named];
  for (const name of candidates) {
    const file = resolve(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return undefined;
}

async function readEntry(file: string): Promise<string | undefined> {
  try {
    const { pincer } = JSON.parse(await readFile(file, "utf8")) as { pincer?: { entry?: unknown } };
    return typeof pincer?.entry === "string" ? pincer.entry : undefined;
  } catch {
    // None, or none that can be read: then the usual names are tried.
    return undefined;
  }
}

async function workspaceOf(entry: string, workspaces: readonly string[]): Promise<string | undefined> {
  for (const workspace of workspaces) {
    // One that is not there yet is compared as it is written.
    const real = await realpath(workspace).catch(() => resolve(workspace));
    if (isWithin(entry, real)) return workspace;
  }
  return undefined;
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The file and every folder above it: anyone who can change one of them can change what is loaded. */
async function flawOfRights(
  entry: string,
  userId: number | undefined,
): Promise<Extract<LocatedPlugin, { type: "refused" }> | undefined> {
  if (userId === undefined) return undefined;
  for (let path = entry; ; path = dirname(path)) {
    const { mode, uid } = await stat(path);
    // In a folder with the sticky bit others cannot touch what is ours.
    const isShared = (mode & constants.S_IWOTH) !== 0 && (path === entry || (mode & stickyBit) === 0);
    if (isShared) return refuse("plugins.writable", { path });
    if (uid !== userId && uid !== 0) return refuse("plugins.foreign", { path });
    if (path === dirname(path)) return undefined;
  }
}

const stickyBit = 0o1000;

const refuse = (
  key: TextKey,
  parameters: Record<string, string> = {},
): Extract<LocatedPlugin, { type: "refused" }> => ({ type: "refused", key, parameters });
