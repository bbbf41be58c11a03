import { PincerError } from "@pincer/sdk";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { readManifest, type Manifest } from "./manifest.ts";

export type ListedBackup = { name: string; directory: string } & (
  | { type: "backup"; sizeBytes: number; manifest: Manifest }
  /** Was interrupted while it was made. */
  | { type: "partial" }
  | { type: "unreadable"; reason: string }
);

/** The backups in a directory, newest first; reads their manifests only. Empty when there is no such directory. */
export async function listBackups(directory: string, say: Say): Promise<ListedBackup[]> {
  const items = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const listed: ListedBackup[] = [];
  for (const item of items) if (item.isDirectory()) listed.push(await describe(directory, item.name, say));
  return listed.sort((one, other) => (timeOf(one) > timeOf(other) ? -1 : 1));
}

async function describe(parent: string, name: string, say: Say): Promise<ListedBackup> {
  const directory = join(parent, name);
  if (name.endsWith(".partial")) return { type: "partial", name, directory };
  try {
    const manifest = await readManifest(directory);
    const sizeBytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
    return { type: "backup", name, directory, sizeBytes, manifest };
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    return { type: "unreadable", name, directory, reason: sayError(error, say).message };
  }
}

const timeOf = (listed: ListedBackup) => (listed.type === "backup" ? listed.manifest.createdAt : "");
