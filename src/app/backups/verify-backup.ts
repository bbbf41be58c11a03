/** Whether a backup is exactly what was written: every file, every byte, and a database that is whole. Changes nothing. */
import { asPincerError, PincerError } from "@pincer/sdk";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { inspectSqliteCopy } from "../../storage/sqlite-restore.ts";
import { describeFile, manifestName, readManifest, type Manifest } from "./manifest.ts";

export interface Verification {
  directory: string;
  ok: boolean;
  /** Absent when it could not be read. */
  manifest?: Manifest;
  problems: string[];
}

/** Never throws for what is wrong with the backup: the problems say it. */
export async function verifyBackup(
  directory: string,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
): Promise<Verification> {
  let manifest: Manifest;
  try {
    manifest = await readManifest(directory);
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    return { directory, ok: false, problems: [error.message] };
  }
  const problems: string[] = [];
  let done = 0;
  for (const expected of manifest.files) {
    signal?.throwIfAborted();
    problems.push(...(await compare(directory, expected)));
    onProgress?.(++done, manifest.files.length);
  }
  problems.push(...(await findStrangers(directory, manifest)));
  // A file that is not what was written need not be opened as a database.
  if (problems.length === 0) problems.push(...inspectDatabase(directory, manifest));
  return { directory, ok: problems.length === 0, manifest, problems };
}

async function compare(directory: string, expected: Manifest["files"][number]): Promise<string[]> {
  const { name } = expected;
  try {
    const found = await describeFile(directory, name);
    if (found.size !== expected.size) return [`${name} has ${found.size} bytes instead of ${expected.size}.`];
    return found.sha256 === expected.sha256 ? [] : [`${name} has been changed: its checksum does not fit.`];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      code === "ENOENT" || code === "ENOTDIR" ? `${name} is missing.` : `${name} cannot be read: ${message}`,
    ];
  }
}

async function findStrangers(directory: string, { files }: Manifest): Promise<string[]> {
  const known = new Set([manifestName, "config-history", ...files.map(({ name }) => name)]);
  const items = await readdir(directory, { recursive: true, withFileTypes: true });
  return items
    .map((item) => relative(directory, join(item.parentPath, item.name)).split(sep).join("/"))
    .filter((name) => !known.has(name))
    .map((name) => `${name} does not belong to the backup.`);
}

function inspectDatabase(directory: string, { database, files }: Manifest): string[] {
  const hasCopy = files.some(({ name }) => name === "core.db");
  if (hasCopy !== (database !== null)) return ["The manifest contradicts itself about core.db."];
  if (!database) return [];
  try {
    const found = inspectSqliteCopy(join(directory, "core.db"));
    const kinds = ["schemaVersion", "sessions", "entries"] as const;
    return [
      ...found.problems.map((problem) => `core.db is damaged: ${problem}`),
      ...kinds
        .filter((kind) => found[kind] !== database[kind])
        .map((kind) => `core.db has ${kind} ${found[kind]} instead of ${database[kind]}.`),
    ];
  } catch (error) {
    return [`core.db cannot be used: ${asPincerError(error).message}`];
  }
}
