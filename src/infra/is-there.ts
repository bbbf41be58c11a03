import { lstat } from "node:fs/promises";

/** Whether something has this name, be it a link to nowhere. By name only: it opens nothing. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}
