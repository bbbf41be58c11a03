import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** What a user may still write on the disk of the path, or of the nearest directory above that exists. */
export async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return freeBytes(dirname(path));
  }
}
