/** Where paths may lead, and the result of resolving one. */
import type { BigIntStats } from "node:fs";
import { type FileHandle, mkdir, realpath, stat } from "node:fs/promises";
import { isInside } from "./is-inside.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";

/** `workdir`: nothing outside it. `everywhere`: everything the user may reach, except closed directories. */
export type Reach = "workdir" | "everywhere";

export interface Territory {
  reach: Reach;
  /** As it was named. */
  root: string;
  realRoot: string;
  rootId: string;
  /** `device:inode` of directories that are closed, except for a workdir inside. */
  closedIds: ReadonlySet<string>;
  /** Whether this real path may be accessed. */
  isOpen(real: string): boolean;
}

export interface Wanted {
  /** The mode of missing directories to create; left out: none is created. */
  make?: number | undefined;
}

/** What a path refers to: held, and not opened yet. The caller closes it. */
export interface Place {
  kind: "file" | "directory" | "other" | "missing";
  /** Its name in the containing directory; for the root its path. */
  name: string;
  stat?: BigIntStats;
  real: string;
  /** Opens exactly what was found; only files, directories, and with O_CREAT what is missing. */
  open(flags: number, mode?: number): Promise<FileHandle>;
  /** The containing directory. The caller closes it. */
  openDirectory(): Promise<FileHandle>;
  directoryReal: string;
  close(): Promise<void>;
}

/** The path leads to a forbidden place. */
export class ClosedPath extends Error {
  override readonly name = "ClosedPath";
}

export interface TerritoryParts {
  root: string;
  closed: string;
  reach: Reach;
  registry: WorkdirRegistry;
}

/** Checks again each time, since directories come and go. Creates the workdir if needed. Throws MovedWorkdir. */
export function createSurvey({ root, closed, reach, registry }: TerritoryParts): () => Promise<Territory> {
  const isReached = (realRoot: string, real: string) => reach === "everywhere" || isInside(real, realRoot);
  let known: Array<Promise<Closed>> | undefined;

  return async () => {
    const [found, ...places] = await Promise.all([
      realpath(root).catch(() => make(root)),
      closedAt(closed),
      ...(known ??= devices.map(closedAt)),
    ]);
    const realRoot = registry.same(root, found);
    const isClosedBy = (place: string, real: string) => {
      const isOwnPlace = realRoot !== place && isInside(realRoot, place) && isInside(real, realRoot);
      return isInside(real, place) && !isOwnPlace;
    };
    const isOpen = (real: string) =>
      isReached(realRoot, real) && !places.some((place) => isClosedBy(place.real, real));
    const closedIds = new Set(places.map(({ id }) => id).filter((id) => id !== undefined));
    return { reach, root, realRoot, rootId: (await idAt(realRoot)) ?? "", closedIds, isOpen };
  };
}

interface Closed {
  real: string;
  id: string | undefined;
}

/** Its file system type does not identify it. */
const devices = ["/dev"];

async function make(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  return realpath(root);
}

async function closedAt(path: string): Promise<Closed> {
  const real = await realpath(path).catch(() => path);
  return { real, id: await idAt(real) };
}

async function idAt(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}
