/**
 * Resolves a path where descriptors cannot be walked (macOS, Windows): resolves the name, opens it without following
 * a last link, and compares what was opened with what has the name then. The gap between check and use is smaller
 * than with names alone, but not gone: swapping a directory twice at the right moments could still lead elsewhere.
 */
import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isThere } from "../infra/is-there.ts";
import { errno } from "./errno.ts";
import { ClosedPath, type Place, type Territory, type Wanted } from "./territory.ts";

/** Throws ClosedPath, and what the system says. */
export async function resolveNames(
  territory: Territory,
  path: string,
  { make }: Wanted = {},
): Promise<Place> {
  const full = resolve(territory.realRoot, path);
  const real = await realpath(full).catch(unlessMissing);
  if (real !== undefined) return placeAt(territory, real);
  // A dangling link: its target cannot be checked.
  if (await isThere(full)) throw new ClosedPath();
  if (make !== undefined && path.endsWith("/"))
    return placeAt(territory, await directoryFor(territory, full, make));
  const directoryReal = await directoryFor(territory, dirname(full), make);
  const name = basename(full);
  return {
    kind: "missing",
    name,
    real: join(directoryReal, name),
    open: (flags, mode) => openSame(join(directoryReal, name), flags, mode),
    openDirectory: () => openSame(directoryReal, constants.O_DIRECTORY),
    directoryReal,
    close: async () => {},
  };
}

async function placeAt({ isOpen }: Territory, real: string): Promise<Place> {
  if (!isOpen(real)) throw new ClosedPath();
  const stat = await lstat(real, { bigint: true });
  return {
    kind: stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other",
    name: basename(real),
    stat,
    real,
    open: (flags) => openSame(real, flags),
    openDirectory: () => openSame(dirname(real), constants.O_DIRECTORY),
    directoryReal: dirname(real),
    close: async () => {},
  };
}

async function directoryFor(territory: Territory, path: string, make: number | undefined): Promise<string> {
  const place = await resolveNames(territory, path, { make });
  if (place.kind === "missing") {
    if (make === undefined) throw errno("ENOENT");
    await mkdir(place.real, { mode: make });
  } else if (place.kind !== "directory") throw errno("ENOTDIR");
  return place.real;
}

async function openSame(real: string, flags: number, mode?: number): Promise<FileHandle> {
  const handle = await open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  try {
    const [opened, named] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true })]);
    if (!isSame(opened, named) || (await realpath(real)) !== real) throw new ClosedPath();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
