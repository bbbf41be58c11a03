import { open } from "node:fs/promises";

/** Makes what a file holds survive a power cut. */
export async function syncFile(file: string): Promise<void> {
  await syncOpened(file, "r+");
}

/** Makes a new name in a directory survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows has no descriptors of directories, and needs none for this.
  if (process.platform !== "win32") await syncOpened(directory, "r");
}

async function syncOpened(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
