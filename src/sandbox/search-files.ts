/** Searches the texts or names in a directory. Skips what is large, binary, or foreign. */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { readWhole, versionOfDirectory, type FileVersion } from "./file-version.ts";
import { createGlobMatch } from "./glob-match.ts";
import { expressionMatcher, type LineMatcher, wordMatcher } from "./match-lines.ts";
import { openChild } from "./open-child.ts";
import type { Opened, WorkdirOpener } from "./workdir-opener.ts";
import { walkTree } from "./walk-tree.ts";

export interface FileSearch {
  query: string;
  isExpression: boolean;
  in: "text" | "names";
  /** A directory, or one file. */
  path: string;
  /** Only files whose path matches. */
  glob?: string | undefined;
  maxResults: number;
  signal: AbortSignal;
  /** Returns what it has at this time. */
  deadlineMs: number;
}

export interface FoundInFiles {
  hits: Array<{ path: string; line?: number; text?: string }>;
  /** Why there may be more: enough results, or out of time. */
  isCut: "enough" | "time" | undefined;
  /** The files whose content is in the hits, and the directories whose names are. */
  seen: FileVersion[];
}

const deepest = 10;
const mostFileBytes = 1_000_000;
const passedBy = new Set(["node_modules", ".git"]);

/** Throws WorkdirError, and the signal's reason. */
export async function searchFiles(opener: WorkdirOpener, search: FileSearch): Promise<FoundInFiles> {
  const late = AbortSignal.timeout(search.deadlineMs);
  const either = AbortSignal.any([search.signal, late]);
  const matcher = search.isExpression ? expressionMatcher(search.query, either) : wordMatcher(search.query);
  const hits: FoundInFiles["hits"] = [];
  const seen: FileVersion[] = [];
  try {
    await gather(opener, search, { matcher, hits, seen, signal: either });
    return { hits, isCut: hits.length >= search.maxResults ? "enough" : undefined, seen };
  } catch (error) {
    search.signal.throwIfAborted();
    if (late.aborted) return { hits, isCut: "time", seen };
    throw error;
  } finally {
    await matcher.close();
  }
}

interface Gathering {
  matcher: LineMatcher;
  hits: FoundInFiles["hits"];
  seen: FileVersion[];
  signal: AbortSignal;
}

async function gather(
  opener: WorkdirOpener,
  { path, glob, in: place, maxResults }: FileSearch,
  { matcher, hits, seen, signal }: Gathering,
): Promise<void> {
  const fits = glob === undefined ? () => true : createGlobMatch(glob);
  const named = `${path}/${glob ?? ""}`.split("/");
  const enters = (name: string) => !passedBy.has(name) || named.includes(name);
  const { handle, real, realRoot, isOpen } = await opener.openInside(path, constants.O_RDONLY);
  const lookInto = async (file: Opened, shown: string) => {
    const read = await textOf(file, realRoot);
    if (read === undefined) return;
    const found = await matcher.find(read.text, maxResults - hits.length);
    for (const each of found) hits.push({ path: shown, ...each });
    if (found.length > 0) seen.push(read.version);
  };
  if (!(await isDirectory(handle))) return lookInto({ handle, real }, path);
  const directories = new Set<string>();
  const sawNamesIn = async (directory: Opened) => {
    if (directories.has(directory.real)) return;
    directories.add(directory.real);
    seen.push(await versionOfDirectory(directory, realRoot));
  };

  for await (const entry of walkTree({ handle, real }, { depth: deepest, isOpen, enters })) {
    signal.throwIfAborted();
    const shown = path === "." ? entry.path : join(path, entry.path);
    if (place === "names") {
      const isHit = fits(entry.path) && (await matcher.find(entry.name, 1)).length > 0;
      if (isHit) {
        await sawNamesIn(entry.directory);
        hits.push({ path: shown + (entry.isDirectory ? "/" : "") });
      }
    } else if (entry.isFile && fits(entry.path)) {
      const file = await openChild(entry.directory, entry.name, "file");
      if (file) await lookInto(file, shown);
    }
    if (hits.length >= maxResults) return;
  }
}

async function isDirectory(handle: FileHandle): Promise<boolean> {
  return (await handle.stat()).isDirectory();
}

/** Undefined if it is no text, or too large. Closes the file. */
async function textOf(
  { handle, real }: Opened,
  realRoot: string,
): Promise<{ text: string; version: FileVersion } | undefined> {
  try {
    if ((await handle.stat()).size > mostFileBytes) return undefined;
    const { bytes, version } = await readWhole(handle, { real, realRoot });
    return !bytes || bytes.includes(0) ? undefined : { text: bytes.toString("utf8"), version };
  } catch {
    // Not readable after all.
    return undefined;
  } finally {
    await handle.close();
  }
}
