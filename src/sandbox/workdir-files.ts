/**
 * The only way to files for tools: everything stays inside the workdir, and out of Pincer's own home. A path is resolved,
 * opened, and then the *opened* file is asked where it really is, so that a link swapped between look and use leads
 * nowhere; directories are read through the handle that was checked. Devices, pipes and the like are refused.
 */
import { constants, type Dirent } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readlink, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

export interface WorkdirFiles {
  root: string;
  /** Names in a directory, sorted, directories first with a trailing slash. Links are named, never followed. Throws WorkdirError. */
  list(path: string, depth: number, limit: number): Promise<{ names: string[]; truncated: boolean }>;
  /** The beginning of a text file. Throws WorkdirError. */
  read(path: string, maxBytes: number): Promise<{ text: string; size: number; truncated: boolean }>;
}

/** A path that cannot be used; the message is fit for the model and for people. */
export class WorkdirError extends Error {
  override readonly name = "WorkdirError";
}

interface Opened {
  handle: FileHandle;
  /** Where it really is. */
  real: string;
}

/** `closed` is a directory whose content is never given out (keys and secrets lie there), but for a workdir inside it. */
export function createWorkdirFiles({ workdir, closed }: { workdir: string; closed: string }): WorkdirFiles {
  const root = resolve(workdir);

  async function limits(): Promise<{ realRoot: string; isOpen(real: string): boolean }> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const realRoot = await realpath(root);
    const realClosed = await realpath(closed).catch(() => resolve(closed));
    const isOwnPlace = isInside(realClosed, realRoot) && realRoot !== realClosed;
    const isOpen = (real: string) => isInside(realRoot, real) && (isOwnPlace || !isInside(realClosed, real));
    return { realRoot, isOpen };
  }

  async function openInside(
    path: string,
    flags: number,
  ): Promise<Opened & { isOpen(real: string): boolean }> {
    const { realRoot, isOpen } = await limits();
    const real = await realpath(resolve(realRoot, path)).catch(explainAt(path));
    if (!isOpen(real)) throw outside(path);
    const handle = await open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      explainAt(path),
    );
    const opened = await whereIs(handle, real);
    if (isOpen(opened)) return { handle, real: opened, isOpen };
    await handle.close();
    throw outside(path);
  }

  return {
    root,
    async list(path, depth, limit) {
      const { isOpen, ...opened } = await openInside(path, constants.O_RDONLY | constants.O_DIRECTORY);
      const names: string[] = [];
      const truncated = await walk(opened, { prefix: "", depth, limit, names, isOpen });
      return { names, truncated };
    },
    async read(path, maxBytes) {
      const { handle } = await openInside(path, constants.O_RDONLY);
      try {
        const stat = await handle.stat();
        if (stat.isDirectory()) throw new WorkdirError(`${path} is a directory; list it instead`);
        if (!stat.isFile()) throw new WorkdirError(`${path} is not a regular file`);
        const buffer = Buffer.alloc(Math.min(maxBytes, stat.size));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
        const bytes = buffer.subarray(0, bytesRead);
        if (bytes.includes(0)) throw new WorkdirError(`${path} is not a text file`);
        // `stream: true` leaves out a character that the limit cut in two.
        const text = new TextDecoder().decode(bytes, { stream: true });
        return { text, size: stat.size, truncated: stat.size > bytesRead };
      } finally {
        await handle.close();
      }
    },
  };
}

interface Walk {
  prefix: string;
  depth: number;
  limit: number;
  names: string[];
  isOpen(real: string): boolean;
}

/** Depth-first in sorted order; true when `limit` cut the list short. Closes the directory it is given. */
async function walk(directory: Opened, { prefix, depth, limit, names, isOpen }: Walk): Promise<boolean> {
  try {
    // The handle, not the path: what was checked is what is read.
    const place = throughHandle(directory);
    const children = await readdir(place, { withFileTypes: true });
    children.sort(directoriesFirst);
    for (const child of children) {
      if (!isOpen(join(directory.real, child.name))) continue;
      if (names.length >= limit) return true;
      names.push(prefix + child.name + (child.isDirectory() ? "/" : ""));
      if (!child.isDirectory() || depth <= 1) continue;
      const below = await openChild(directory, child.name);
      const inside = { prefix: `${prefix}${child.name}/`, depth: depth - 1, limit, names, isOpen };
      if (below && (await walk(below, inside))) return true;
    }
    return false;
  } finally {
    await directory.handle.close();
  }
}

async function openChild(directory: Opened, name: string): Promise<Opened | undefined> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    const handle = await open(join(throughHandle(directory), name), flags);
    return { handle, real: join(directory.real, name) };
  } catch {
    // Gone, swapped for a link, or closed to us since it was named: then its inside is not listed.
    return undefined;
  }
}

const directoriesFirst = (a: Dirent, b: Dirent) =>
  Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1);

const isLinux = process.platform === "linux";

/** A path that means the open directory itself, whatever happens to its name; only Linux has one. */
const throughHandle = ({ handle, real }: Opened) => (isLinux ? `/proc/self/fd/${handle.fd}` : real);

/** Linux tells where an open file is; elsewhere the resolved path, opened without following links, must do. */
const whereIs = async (handle: FileHandle, real: string) =>
  isLinux ? readlink(`/proc/self/fd/${handle.fd}`) : real;

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

const outside = (path: string) => new WorkdirError(`${path} is outside the workdir`);

const explainAt = (path: string) => (error: NodeJS.ErrnoException) => {
  throw explain(error, path);
};

function explain(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === "ENOENT") return new WorkdirError(`${path} does not exist`);
  if (error.code === "ENOTDIR") return new WorkdirError(`${path} is not a directory`);
  if (error.code === "EACCES" || error.code === "EPERM") return new WorkdirError(`${path} may not be read`);
  if (error.code === "ELOOP") return outside(path);
  if (error.code === "ENXIO") return new WorkdirError(`${path} is not a regular file`);
  return error;
}
