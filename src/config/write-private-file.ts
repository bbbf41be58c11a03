/** Writes files of the home so that a reader sees the old or the new text whole, and nobody but the owner sees either. */
import { randomBytes } from "node:crypto";
import { link, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { ensureDir } from "./home.ts";

/** Replaces the file at once; on the disk when it resolves. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  const temporary = await writeBeside(file, text);
  try {
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(ignoreGone);
    throw error;
  }
  await syncDirectory(dirname(file));
}

/** Creates the file whole; false when somebody else was first, whose file stays. */
export async function createPrivateFile(file: string, text: string): Promise<boolean> {
  const temporary = await writeBeside(file, text);
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(temporary).catch(ignoreGone);
  }
}

async function writeBeside(file: string, text: string): Promise<string> {
  ensureDir(dirname(file));
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await unlink(temporary).catch(ignoreGone);
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => undefined);
  // Some systems cannot sync a directory; the file's content is on the disk all the same.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

// The temporary file is gone already, or the disk refuses: the caller's error says more than this one would.
const ignoreGone = () => undefined;
