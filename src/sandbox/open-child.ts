/**
 * Opens a child of an open directory, if it is of the wanted kind: never through a link, never a device or a pipe.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { isOfTheKernel, pointer } from "./walk-descriptors.ts";
import { type Opened, throughHandle } from "./workdir-opener.ts";

/** Undefined if it is gone, of another kind, or not accessible. The caller closes it. Never throws. */
export async function openChild(
  directory: Opened,
  name: string,
  kind: "file" | "directory",
): Promise<Opened | undefined> {
  const place = join(throughHandle(directory), name);
  const real = join(directory.real, name);
  const flags = kind === "directory" ? constants.O_DIRECTORY : constants.O_RDONLY;
  try {
    if (process.platform !== "linux")
      return await kept(await open(place, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK), real, kind);
    const held = await open(place, pointer);
    try {
      if (!(await isOfKind(held, kind)) || (await isForeign(held, directory))) return undefined;
      return { handle: await open(`/proc/self/fd/${held.fd}`, flags | constants.O_NONBLOCK), real };
    } finally {
      await held.close();
    }
  } catch {
    // Gone, replaced, or not accessible.
    return undefined;
  }
}

async function kept(
  handle: FileHandle,
  real: string,
  kind: "file" | "directory",
): Promise<Opened | undefined> {
  if (await isOfKind(handle, kind)) return { handle, real };
  await handle.close();
  return undefined;
}

async function isOfKind(handle: FileHandle, kind: "file" | "directory"): Promise<boolean> {
  const stat = await handle.stat();
  return kind === "file" ? stat.isFile() : stat.isDirectory();
}

async function isForeign(held: FileHandle, directory: Opened): Promise<boolean> {
  const [own, above] = await Promise.all([held.stat(), directory.handle.stat()]);
  return own.dev !== above.dev && (await isOfTheKernel(held));
}
