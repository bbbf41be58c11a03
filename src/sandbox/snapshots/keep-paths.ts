/** Keeps what a few paths hold, as a tool names them: links on the way are followed as the tool would follow them, and what lies behind is kept under its own name. */
import { dirname, join, relative, sep } from "node:path";
import { directoryFlags, isMissing, WorkdirError, type NamedPlace } from "../workdir-opener.ts";
import { errorCode } from "./disk.ts";
import { createTreeReader, under, type KeepParts } from "./keep-tree.ts";
import type { Tree } from "./kept.ts";

/** Fills `tree`; what has none of the names is answered. Throws what the disk of the store does. */
export async function keepPaths(
  parts: KeepParts,
  paths: readonly string[],
  tree: Tree,
): Promise<{ absent: string[] }> {
  const { opener, settings } = parts;
  const reader = createTreeReader(parts, tree);
  const absent = new Set<string>();
  const { realRoot, isOpen, handle } = await opener.openInside(".", directoryFlags);
  await handle.close();

  async function keepAt({ directory, name }: NamedPlace): Promise<void> {
    try {
      const path = wayFrom(realRoot, directory.real);
      const place = path === undefined ? join(directory.real, name) : under(path, name);
      if (path === undefined || place.split("/").some((part) => settings.exclude.includes(part))) {
        tree.unknown.push(place);
        tree.notKept.push(place);
      } else if (!(await reader.name(directory, path, name, isOpen))) absent.add(place);
    } finally {
      await directory.handle.close();
    }
  }

  /** Where the directory itself is missing: it and everything on the way to the name. */
  async function keepAbsent(path: string): Promise<void> {
    const names: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      const place = await opener.openParent(at, { make: false }).catch(unlessNothing);
      if (place) {
        const start = wayFrom(realRoot, place.directory.real);
        await keepAt(place);
        if (start === undefined) return;
        let missing = under(start, place.name);
        if (!absent.has(missing)) return;
        for (const name of names) absent.add((missing = under(missing, name)));
        return;
      }
      names.unshift(at.slice(at.lastIndexOf("/") + 1));
      if (dirname(at) === at) return;
    }
  }

  for (const path of paths) {
    const named = await unlessRefused(opener.openParent(path, { make: false }));
    if (named === "missing") await keepAbsent(path.replace(/\/+$/, ""));
    if (typeof named === "string") continue;
    await keepAt(named);
    const meant = await unlessRefused(opener.openTarget(path, { make: false }));
    if (typeof meant !== "string") await keepAt(meant);
  }
  return { absent: [...absent] };
}

/** What may not be touched is not touched by the tool either. */
export async function unlessRefused<Result>(work: Promise<Result>): Promise<Result | "missing" | "refused"> {
  try {
    return await work;
  } catch (error) {
    if (isNothing(error)) return "missing";
    if (error instanceof WorkdirError) return "refused";
    throw error;
  }
}

/** Below a file there is nothing either. */
const isNothing = (error: unknown): boolean =>
  isMissing(error) || (error instanceof WorkdirError && errorCode(error.cause) === "ENOTDIR");

function unlessNothing(error: unknown): undefined {
  if (!isNothing(error)) throw error;
}

/** From the root, with slashes; undefined outside of it. */
function wayFrom(root: string, real: string): string | undefined {
  const way = relative(root, real);
  if (way === ".." || way.startsWith(`..${sep}`)) return undefined;
  return way.split(sep).join("/");
}
