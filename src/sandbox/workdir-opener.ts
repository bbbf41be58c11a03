/**
 * Opens files inside the workdir and outside Pincer's own home, for every file tool. It resolves a path without a gap
 * between check and use (`walk-descriptors.ts`; except on Linux with a small one, `resolve-names.ts`), and opens only
 * regular files and directories: never a device, a pipe, a socket, or a kernel file.
 */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { errno } from "./errno.ts";
import { resolveNames } from "./resolve-names.ts";
import {
  ClosedPath,
  type Place,
  type Reach,
  createSurvey,
  type Territory,
  type Wanted,
} from "./territory.ts";
import { walkDescriptors } from "./walk-descriptors.ts";
import { createWorkdirRegistry, MovedWorkdir, type WorkdirRegistry } from "./workdir-registry.ts";

/** An unusable path; the message suits the model and people. */
export class WorkdirError extends Error {
  override readonly name = "WorkdirError";
}

export interface Opened {
  handle: FileHandle;
  /** The real path. */
  real: string;
}

/** What may be accessed. */
export interface Limits {
  realRoot: string;
  isOpen(real: string): boolean;
}

/** A name in a checked, open directory; the name itself was not followed. */
export interface NamedPlace {
  directory: Opened;
  name: string;
}

export interface WorkdirOpener {
  root: string;
  reach: Reach;
  /** Creates the workdir if needed. Throws WorkdirError. */
  limits(): Promise<Limits>;
  /** An existing regular file or directory. The caller closes it. Throws WorkdirError. */
  openInside(path: string, flags: number): Promise<Opened & Limits>;
  /**
   * A file, created with its directories for the owner alone if missing. The caller closes it. Throws WorkdirError.
   */
  openOrMake(path: string, flags: number): Promise<Opened>;
  /**
   * The directory of the path's last name; the name itself may be anything or nothing, and is not checked. With
   * `make`, creates missing directories. An operation at `join(throughHandle(directory), name)` stays there, whatever
   * is swapped. The caller closes the directory. Throws WorkdirError.
   */
  openParent(path: string, options: { make: boolean }): Promise<NamedPlace & { realRoot: string }>;
  /**
   * The same after following links at the end of the path: a regular file (`there`), or nothing. The caller closes
   * the directory. Throws WorkdirError.
   */
  openTarget(
    path: string,
    options: { make: boolean },
  ): Promise<NamedPlace & { there: Place["stat"]; realRoot: string }>;
  /** Call right before a place is changed; opening a file for writing implies it. */
  changing(place: NamedPlace): void;
}

export interface WorkdirOpenerParts {
  workdir: string;
  /** A directory with keys and secrets that is never readable, except for a workdir inside it. */
  closed: string;
  reach?: Reach | undefined;
  platform?: NodeJS.Platform | undefined;
  /**
   * What a path, relative to the workdir, counts as: where that is not undefined, content changes only under a name
   * that counts as the same, and a link that leads there is refused. Must not throw.
   */
  countsAs?: ((path: string) => string | undefined) | undefined;
  /** If shared, a workdir stays the same directory for all who share it. */
  registry?: WorkdirRegistry | undefined;
}

export function createWorkdirOpener({
  workdir,
  closed,
  reach = "workdir",
  platform = process.platform,
  countsAs = () => undefined,
  registry = createWorkdirRegistry(),
}: WorkdirOpenerParts): WorkdirOpener {
  const root = resolve(workdir);
  const survey = createSurvey({ root, closed: resolve(closed), reach, registry });
  const findPlace = platform === "linux" ? walkDescriptors : resolveNames;

  /** Passes the place to `use` and releases it afterwards. */
  async function at<Result>(
    path: string,
    wanted: Wanted,
    use: (place: Place, territory: Territory) => Promise<Result>,
  ): Promise<Result> {
    refuseUnusable(path);
    try {
      const territory = await survey();
      const place = await findPlace(territory, path, wanted);
      try {
        return await use(place, territory);
      } finally {
        await place.close();
      }
    } catch (error) {
      throw explain(error, path, reach);
    }
  }

  /** A decision about a change is based on its name, so the name must not refer to something else. */
  function refuseDetour(path: string, real: string, realRoot: string): void {
    const meant = countsAs(relative(realRoot, real));
    if (meant !== undefined && meant !== countsAs(relative(root, resolve(root, path))))
      throw detour(path, relative(realRoot, real));
  }

  async function openFound(path: string, place: Place, flags: number): Promise<Opened> {
    if (place.kind === "missing") throw errno("ENOENT");
    // Checked before opening: opening a device or pipe may act, or block.
    if (place.kind === "other") throw notRegular(path);
    if (wantsDirectory(flags) && place.kind !== "directory") throw errno("ENOTDIR");
    return { handle: await place.open(flags), real: place.real };
  }

  async function openOrMake(path: string, flags: number, triesLeft = 8): Promise<Opened> {
    if (path.endsWith("/")) throw explain(errno("EISDIR"), path, reach);
    try {
      return await at(path, { make: 0o700 }, async (place, { realRoot }) => {
        refuseDetour(path, place.real, realRoot);
        registry.changing(place.real);
        if (place.kind !== "missing") return openFound(path, place, flags);
        const handle = await place.open(flags | constants.O_CREAT | constants.O_EXCL, 0o600);
        await syncNameIn(place);
        return { handle, real: place.real };
      });
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      // It was created or removed between check and use.
      if (triesLeft > 1 && code === "EEXIST") return openOrMake(path, flags, triesLeft - 1);
      throw error;
    }
  }

  return {
    root,
    reach,
    async limits() {
      const { realRoot, isOpen } = await survey().catch((error: unknown) => {
        throw explain(error, root, reach);
      });
      return { realRoot, isOpen };
    },
    openInside: (path, flags) =>
      at(path, {}, async (place, { realRoot, isOpen }) => ({
        ...(await openFound(path, place, flags)),
        realRoot,
        isOpen,
      })),
    openOrMake: (path, flags) => openOrMake(path, flags),
    changing: ({ directory, name }) => registry.changing(join(directory.real, name)),
    async openParent(path, { make }) {
      refuseUnusable(path);
      const { before, name } = splitLast(path, root);
      const wanted = make ? { make: newDirectoryMode } : {};
      return at(before, wanted, async (place, { realRoot }) => {
        refuseDetour(path, join(place.real, name), realRoot);
        return { directory: await openFound(before, place, directoryFlags), name, realRoot };
      });
    },
    async openTarget(path, { make }) {
      if (path.endsWith("/")) throw explain(errno("EISDIR"), path, reach);
      return at(path, make ? { make: newDirectoryMode } : {}, async (place, { realRoot }) => {
        refuseDetour(path, join(place.directoryReal, place.name), realRoot);
        if (place.kind === "directory") throw errno("EISDIR");
        if (place.kind === "other") throw notRegular(path);
        const directory = { handle: await place.openDirectory(), real: place.directoryReal };
        return { directory, name: place.name, there: place.stat, realRoot };
      });
    },
  };
}

const detour = (path: string, meant: string): WorkdirError =>
  new WorkdirError(`${path} leads to ${meant} in the workdir: change that by its own name`);

export const directoryFlags: number = constants.O_RDONLY | constants.O_DIRECTORY;
const wantsDirectory = (flags: number): boolean => (flags & constants.O_DIRECTORY) !== 0;
/** Reduced by the umask: programs of other users may have to read what is created in a workdir. */
const newDirectoryMode = 0o755;

/** A path to the open directory itself, whatever happens to its name; on Linux only. */
export const throughHandle = ({ handle, real }: Opened): string =>
  process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : real;

/** Makes new, moved and removed names survive a power cut, if the system supports it for directories. */
export const syncNames = ({ handle }: Pick<Opened, "handle">): Promise<void> =>
  handle.sync().catch(() => undefined);

async function syncNameIn(place: Place): Promise<void> {
  const handle = await place.openDirectory();
  await syncNames({ handle });
  await handle.close();
}

const mostPathBytes = 4096;
const mostNameBytes = 255;

/** Anything else in a path (percent signs, backslashes, a tilde, look-alike letters) is an ordinary character. */
function refuseUnusable(path: string): void {
  const shown = JSON.stringify(path.length > 60 ? `${path.slice(0, 60)}…` : path);
  if (path === "") throw new WorkdirError("the path is empty; . is the workdir itself");
  if (path.includes("\0")) throw new WorkdirError(`${shown} has a NUL character, which no path can have`);
  if (Buffer.byteLength(path) > mostPathBytes)
    throw new WorkdirError(`${shown} is longer than ${mostPathBytes} bytes, which no path can be`);
  if (path.split("/").some((name) => Buffer.byteLength(name) > mostNameBytes))
    throw new WorkdirError(`${shown} has a name of more than ${mostNameBytes} bytes`);
}

function splitLast(path: string, root: string): { before: string; name: string } {
  const trimmed = path.replace(/\/+$/, "");
  const at = trimmed.lastIndexOf("/") + 1;
  const name = trimmed.slice(at);
  if (name === "" || name === "." || name === ".." || trimmed === root)
    throw new WorkdirError(`${path} is a directory; name something in it`);
  return { before: trimmed.slice(0, at) || ".", name };
}

/** Whether an error says that the path does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof WorkdirError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";

/** The system's error about a path, in words; other errors unchanged. */
export function explain(error: unknown, path: string, reach: Reach = "workdir"): unknown {
  const said = (what: string) => new WorkdirError(`${path} ${what}`, { cause: error });
  if (error instanceof MovedWorkdir) return new WorkdirError(error.message, { cause: error });
  if (error instanceof ClosedPath)
    return said(reach === "workdir" ? "is outside the workdir" : "is closed to tools");
  const words = reasons.get((error as NodeJS.ErrnoException).code ?? "");
  return error instanceof Error && words !== undefined ? said(words) : error;
}

const notRegular = (path: string) => new WorkdirError(`${path} is not a regular file`);

const reasons = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "is not a directory"],
  ["EISDIR", "is a directory"],
  ["EEXIST", "is there already"],
  ["EACCES", "may not be opened"],
  ["EPERM", "may not be opened"],
  ["EROFS", "is on a file system that is read-only"],
  ["ELOOP", "leads through links without end"],
  ["ENAMETOOLONG", "is too long or lies too deep"],
  ["ENXIO", "is not a regular file"],
  ["ENOSPC", "does not fit: the disk is full"],
  ["EXDEV", "is on another file system than its new place"],
]);
