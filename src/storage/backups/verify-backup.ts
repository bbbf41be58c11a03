/** Whether a backup is exactly what was written: every file, every byte, and a database that is whole. Changes nothing. */
import { asPincerError, PincerError } from "@pincer/sdk";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { inspectSqliteCopy } from "../sqlite/sqlite-restore.ts";
import { describeFile, manifestName, readManifest, type Manifest } from "./manifest.ts";

export interface Verification {
  directory: string;
  ok: boolean;
  /** Absent when it could not be read. */
  manifest?: Manifest;
  /** In the user's language. */
  problems: string[];
}

interface VerifyOptions {
  say: Say;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Never throws for what is wrong with the backup: the problems say it. */
export async function verifyBackup(
  directory: string,
  { say, signal, onProgress }: VerifyOptions,
): Promise<Verification> {
  let manifest: Manifest;
  try {
    manifest = await readManifest(directory);
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    return { directory, ok: false, problems: [sayError(error, say).message] };
  }
  const problems: string[] = [];
  let done = 0;
  for (const expected of manifest.files) {
    signal?.throwIfAborted();
    problems.push(...(await compare(directory, expected, say)));
    onProgress?.(++done, manifest.files.length);
  }
  problems.push(...(await findStrangers(directory, manifest, say)));
  // A file that is not what was written need not be opened as a database.
  if (problems.length === 0) problems.push(...inspectDatabase(directory, manifest, say));
  return { directory, ok: problems.length === 0, manifest, problems };
}

async function compare(directory: string, expected: Manifest["files"][number], say: Say): Promise<string[]> {
  const { name } = expected;
  try {
    const found = await describeFile(directory, name);
    if (found.size !== expected.size) {
      return [say("backup.problem.size", { name, size: found.size, expected: expected.size })];
    }
    return found.sha256 === expected.sha256 ? [] : [say("backup.problem.changed", { name })];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [say("backup.problem.missing", { name })];
    const { message: reason } = sayError(asPincerError(error), say);
    return [say("backup.problem.unreadable", { name, reason })];
  }
}

async function findStrangers(directory: string, { files }: Manifest, say: Say): Promise<string[]> {
  const known = new Set([manifestName, "config-history", "memory", ...files.map(({ name }) => name)]);
  const items = await readdir(directory, { recursive: true, withFileTypes: true });
  return items
    .map((item) => relative(directory, join(item.parentPath, item.name)).split(sep).join("/"))
    .filter((name) => !known.has(name))
    .map((name) => say("backup.problem.stranger", { name }));
}

function inspectDatabase(directory: string, { database, files }: Manifest, say: Say): string[] {
  const hasCopy = files.some(({ name }) => name === "core.db");
  if (hasCopy !== (database !== null)) return [say("backup.problem.contradiction")];
  if (!database) return [];
  try {
    const found = inspectSqliteCopy(join(directory, "core.db"));
    const kinds = ["schemaVersion", "sessions", "entries"] as const;
    return [
      ...found.problems.map((problem) =>
        say("backup.problem.damaged", { problem: sayError(problem, say).message }),
      ),
      ...kinds
        .filter((kind) => found[kind] !== database[kind])
        .map((kind) => say("backup.problem.count", { kind, found: found[kind], expected: database[kind] })),
    ];
  } catch (error) {
    const { message: reason } = sayError(asPincerError(error), say);
    return [say("backup.problem.unusable", { reason })];
  }
}
