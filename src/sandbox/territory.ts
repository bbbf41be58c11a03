/** Where paths may lead, and what one of them turned out to mean. */
import type { BigIntStats } from "node:fs";
import { type FileHandle, mkdir, realpath, stat } from "node:fs/promises";
import { isInside } from "./is-inside.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";

/** `workdir`: nothing outside it. `everywhere`: all that the user who runs Pincer may reach, but for what is closed. */
export type Reach = "workdir" | "everywhere";

export interface Territory {
  reach: Reach;
  /** As it was named. */
  root: string;
  realRoot: string;
  rootId: string;
  /** `device:inode` of directories that nobody enters but for a workdir inside them. */
  closedIds: ReadonlySet<string>;
  /** Whether something with this real path may be given out. */
  isOpen(real: string): boolean;
}

export interface Wanted {
  /** The mode of directories that are made where some are missing on the way; left out: none is made. */
  make?: number | undefined;
}

/** What has a path now: held, and not yet opened. Whoever got it closes it. */
export interface Place {
  kind: "file" | "directory" | "other" | "missing";
  /** In the directory that holds it; that of the top is its path. */
  name: string;
  stat?: BigIntStats;
  real: string;
  /** Opens the very thing that was found; only for files, directories, and with O_CREAT for what is missing. */
  open(flags: number, mode?: number): Promise<FileHandle>;
  /** The directory that holds it. The caller closes it. */
  openDirectory(): Promise<FileHandle>;
  directoryReal: string;
  close(): Promise<void>;
}

/** The path leads where it may not. */
export class ClosedPath extends Error {
  override readonly name = "ClosedPath";
}

export interface TerritoryParts {
  root: string;
  closed: string;
  reach: Reach;
  registry: WorkdirRegistry;
}

/** Looks anew each time, since directories come and go. Makes the workdir if need be. Throws MovedWorkdir. */
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

/** Its file system says nothing by which to know it. */
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
