/**
 * The only way to files for tools: everything stays inside the workdir. A path is resolved, opened, and
 * then the *opened* file is asked where it really is, so that a link swapped between look and use leads
 * nowhere. Devices, pipes and the like are refused.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readlink, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

export interface WorkdirFiles {
  root: string;
  /** Names in a directory, sorted, directories first with a trailing slash. Throws WorkdirError. */
  list(path: string, depth: number, limit: number): Promise<{ names: string[]; truncated: boolean }>;
  /** The beginning of a text file. Throws WorkdirError. */
  read(path: string, maxBytes: number): Promise<{ text: string; size: number; truncated: boolean }>;
}

/** A path that cannot be used; the message is fit for the model and for people. */
export class WorkdirError extends Error {
  override readonly name = "WorkdirError";
}

export function createWorkdirFiles(workdir: string): WorkdirFiles {
  const root = resolve(workdir);

  async function openInside(path: string, flags: number): Promise<{ handle: FileHandle; real: string }> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const realRoot = await realpath(root);
    const wanted = resolve(realRoot, path);
    const real = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
      throw explain(error, path);
    });
    if (!isInside(realRoot, real)) throw outside(path);
    const handle = await open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        throw explain(error, path);
      },
    );
    const opened = await whereIs(handle, real);
    if (isInside(realRoot, opened)) return { handle, real: opened };
    await handle.close();
    throw outside(path);
  }

  return {
    root,
    async list(path, depth, limit) {
      const { handle, real } = await openInside(path, constants.O_RDONLY | constants.O_DIRECTORY);
      await handle.close();
      const names: string[] = [];
      const truncated = await walk(real, "", depth, limit, names);
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

/** Depth-first in sorted order; true when `limit` cut the list short. Links are named, never followed. */
async function walk(
  dir: string,
  prefix: string,
  depth: number,
  limit: number,
  names: string[],
): Promise<boolean> {
  const children = await readdir(dir, { withFileTypes: true });
  children.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
  for (const child of children) {
    if (names.length >= limit) return true;
    names.push(prefix + child.name + (child.isDirectory() ? "/" : ""));
    if (child.isDirectory() && depth > 1) {
      const cut = await walk(join(dir, child.name), `${prefix}${child.name}/`, depth - 1, limit, names);
      if (cut) return true;
    }
  }
  return false;
}

/** Linux tells where an open file is; elsewhere the resolved path, opened without following links, must do. */
async function whereIs(handle: FileHandle, real: string): Promise<string> {
  if (process.platform !== "linux") return real;
  return readlink(`/proc/self/fd/${handle.fd}`);
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

const outside = (path: string) => new WorkdirError(`${path} is outside the workdir`);

function explain(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === "ENOENT") return new WorkdirError(`${path} does not exist`);
  if (error.code === "ENOTDIR") return new WorkdirError(`${path} is not a directory`);
  if (error.code === "EACCES" || error.code === "EPERM") return new WorkdirError(`${path} may not be read`);
  if (error.code === "ELOOP") return outside(path);
  if (error.code === "ENXIO") return new WorkdirError(`${path} is not a regular file`);
  return error;
}
