/**
 * Opens what lies inside the workdir and out of Pincer's own home. A path is resolved, opened, and then the *opened* file is asked where it
 * really is, so that a link swapped between look and use leads nowhere. What is new is made through the handle of a directory that was
 * checked. Nothing here waits for a pipe or a device.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readlink, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** A path that cannot be used; the message is fit for the model and for people. */
export class WorkdirError extends Error {
  override readonly name = "WorkdirError";
}

export interface Opened {
  handle: FileHandle;
  /** Where it really is. */
  real: string;
}

/** What may be given out. */
export interface Limits {
  realRoot: string;
  isOpen(real: string): boolean;
}

export interface WorkdirOpener {
  root: string;
  /** Makes the workdir if need be. */
  limits(): Promise<Limits>;
  /** Something that is there. The caller closes it. Throws WorkdirError. */
  openInside(path: string, flags: number): Promise<Opened & Limits>;
  /** A file, made for the owner alone with its directories if it is not there. The caller closes it. Throws WorkdirError. */
  openOrMake(path: string, flags: number): Promise<Opened>;
}

/** `closed` is a directory whose content is never given out (keys and secrets lie there), but for a workdir inside it. */
export function createWorkdirOpener({ workdir, closed }: { workdir: string; closed: string }): WorkdirOpener {
  const root = resolve(workdir);

  async function limits(): Promise<Limits> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const realRoot = await realpath(root);
    const realClosed = await realpath(closed).catch(() => resolve(closed));
    const isOwnPlace = isInside(realClosed, realRoot) && realRoot !== realClosed;
    const isOpen = (real: string) => isInside(realRoot, real) && (isOwnPlace || !isInside(realClosed, real));
    return { realRoot, isOpen };
  }

  async function openInside(path: string, flags: number): Promise<Opened & Limits> {
    const { realRoot, isOpen } = await limits();
    const real = await realpath(resolve(realRoot, path)).catch(explainAt(path));
    if (!isOpen(real)) throw outside(path);
    const handle = await open(real, flags | neverElsewhere).catch(explainAt(path));
    return { ...(await checked({ handle, real }, path, isOpen)), realRoot, isOpen };
  }

  async function openOrMake(path: string, flags: number): Promise<Opened> {
    try {
      return await openInside(path, flags);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const { realRoot, isOpen } = await limits();
    const names = relative(realRoot, resolve(realRoot, path)).split(sep);
    const name = names.pop();
    if (!name || names[0] === "..") throw outside(path);
    const directory = await openOrMakeDirectory(names);
    try {
      const real = join(directory.real, name);
      if (!isOpen(real)) throw outside(path);
      const place = join(throughHandle(directory), name);
      const handle = await open(place, flags | constants.O_CREAT | neverElsewhere, 0o600).catch(
        explainAt(path),
      );
      const opened = await checked({ handle, real }, path, isOpen);
      await syncName(directory);
      return opened;
    } finally {
      await directory.handle.close();
    }
  }

  async function openOrMakeDirectory(names: readonly string[]): Promise<Opened> {
    const path = names.join(sep) || ".";
    try {
      return await openInside(path, directoryFlags);
    } catch (error) {
      if (!isMissing(error) || names.length === 0) throw error;
    }
    const parent = await openOrMakeDirectory(names.slice(0, -1));
    try {
      await mkdir(join(throughHandle(parent), names.at(-1) ?? ""), { mode: 0o700 }).catch(unlessThere(path));
      await syncName(parent);
    } finally {
      await parent.handle.close();
    }
    return openInside(path, directoryFlags);
  }

  return { root, limits, openInside, openOrMake };
}

export const directoryFlags: number = constants.O_RDONLY | constants.O_DIRECTORY;
const neverElsewhere = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const isLinux = process.platform === "linux";

/** A path that means the open directory itself, whatever happens to its name; only Linux has one. */
export const throughHandle = ({ handle, real }: Opened): string =>
  isLinux ? `/proc/self/fd/${handle.fd}` : real;

/** Linux tells where an open file is; elsewhere the resolved path, opened without following links, must do. */
async function checked({ handle, real }: Opened, path: string, isOpen: Limits["isOpen"]): Promise<Opened> {
  try {
    const opened = isLinux ? await readlink(`/proc/self/fd/${handle.fd}`) : real;
    if (isOpen(opened)) return { handle, real: opened };
    throw outside(path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Makes a new name in the directory survive a power cut, where the system can do that for directories at all. */
const syncName = (directory: Opened) => directory.handle.sync().catch(() => undefined);

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

/** Whether an error says that nothing has this path. */
export const isMissing = (error: unknown): boolean =>
  error instanceof WorkdirError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";

const outside = (path: string) => new WorkdirError(`${path} is outside the workdir`);

const unlessThere = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== "EEXIST") throw explain(error, path);
};

const explainAt = (path: string) => (error: NodeJS.ErrnoException) => {
  throw explain(error, path);
};

function explain(error: NodeJS.ErrnoException, path: string): Error {
  const said = (what: string) => new WorkdirError(`${path} ${what}`, { cause: error });
  if (error.code === "ENOENT") return said("does not exist");
  if (error.code === "ENOTDIR") return said("is not a directory");
  if (error.code === "EISDIR") return said("is a directory");
  if (error.code === "EACCES" || error.code === "EPERM") return said("may not be opened");
  if (error.code === "EROFS") return said("is on a file system that is read-only");
  if (error.code === "ELOOP") return outside(path);
  if (error.code === "ENXIO") return said("is not a regular file");
  return error;
}
