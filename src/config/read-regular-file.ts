/** Reads files of the home without ever waiting: somebody may have put a pipe or a device in a file's place. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** What a pipe, a socket or a device is told apart by. */
export const notRegular = "EFTYPE";

/** Throws the system's error, or one with the code `EFTYPE` for what is no regular file after following links. */
export async function readRegularFile(file: string): Promise<string> {
  // Without it, opening a pipe waits for somebody to write into it. Windows has no such flag and no such pipes.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (found.isFile()) return await handle.readFile("utf8");
    const code = found.isDirectory() ? "EISDIR" : notRegular;
    throw Object.assign(new Error("This is not a regular file"), { code, path: file });
  } finally {
    await handle.close();
  }
}

/** The text; undefined where nothing is. Throws as readRegularFile. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readRegularFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
