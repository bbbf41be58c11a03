/** Updates the index from the memory files of a workdir: unchanged files are not even read. */
import type { MemoryStore } from "@pincer/sdk";
import { createSay, type Say, type TextKey } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { isMissing, WorkdirError } from "../../sandbox/workdir-opener.ts";
import { listMemoryPaths } from "../list-memory-paths.ts";
import { linesOfFile } from "./lines-of-file.ts";
import { memorySourceAt } from "./memory-paths.ts";

/** Where memory files are; plain data, so that it can be handed to a thread. */
export interface MemoryPlace {
  agentId: string;
  workdir: string;
  /** A directory whose content is never given out, but for a workdir inside it. */
  closed: string;
  /** IANA name; UTC unless told. */
  timezone?: string | undefined;
}

export interface SyncOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  /** The language of reasons for skipped files; English by default. */
  language?: Language | undefined;
}

export interface SyncedFiles {
  /** That are in the index now. */
  files: number;
  /** That were read, added or taken out. */
  changed: number;
  skipped: Array<{ path: string; reason: string }>;
}

const mostFileBytes = 4 * 1024 * 1024;
/** A file of nothing but short lines would take more memory than the thread has. */
const mostLines = 50_000;

/** Rejects with the signal's reason when it aborts, and with what the store throws; a file that cannot be read is only named. */
export async function syncFiles(
  store: Pick<MemoryStore, "put" | "remove" | "sources">,
  place: MemoryPlace,
  { signal, onProgress, language = "en" }: SyncOptions = {},
): Promise<SyncedFiles> {
  const { agentId, timezone = "UTC" } = place;
  const files = createWorkdirFiles(place);
  const paths = await listMemoryPaths(files);
  const stamps = new Map((await store.sources(agentId)).map(({ id, stamp }) => [id, stamp]));
  const answer: SyncedFiles = { files: 0, changed: 0, skipped: [] };
  const present = new Set<string>();

  for (const [done, path] of paths.entries()) {
    signal?.throwIfAborted();
    const source = memorySourceAt(agentId, path);
    const written = files.stamp(path);
    // What times of day in it mean depends on where the person lives.
    const stamp = written === "" ? "" : `${written} ${timezone}`;
    if (stamp === "" || stamp !== stamps.get(source.id)) {
      const read = await readWhole(files, path, createSay(language));
      if (read.type === "refused") answer.skipped.push({ path, reason: read.reason });
      if (read.type !== "text") continue;
      await store.put(source, linesOfFile({ path, text: read.text, timezone }), stamp);
      answer.changed += 1;
    }
    present.add(source.id);
    answer.files += 1;
    onProgress?.({ done: done + 1, total: paths.length });
  }
  for (const id of stamps.keys()) {
    if (present.has(id) || !isFile(id, agentId)) continue;
    signal?.throwIfAborted();
    if (await store.remove(id)) answer.changed += 1;
  }
  return answer;
}

/** Sessions are sources, too, and no files. */
const isFile = (id: string, agentId: string): boolean => id.startsWith(`${agentId}/`);

type WholeFile = { type: "text"; text: string } | { type: "refused"; reason: string } | { type: "gone" };

async function readWhole(files: WorkdirFiles, path: string, say: Say): Promise<WholeFile> {
  try {
    const { text, size, truncated } = await files.read(path, mostFileBytes);
    if (truncated) return refused(say("memory.file.bytes", { size, most: mostFileBytes }));
    const lines = countLines(text);
    return lines <= mostLines
      ? { type: "text", text }
      : refused(say("memory.file.lines", { lines, most: mostLines }));
  } catch (error) {
    if (isMissing(error)) return { type: "gone" };
    if (error instanceof WorkdirError) return refused(whyNot(error, path, say));
    throw error;
  }
}

/** The text of the catalogue, if it has one for this error. */
function whyNot({ message }: WorkdirError, path: string, say: Say): string {
  const what = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  const key = reasons.get(what);
  return key ? say(key) : message;
}

const reasons = new Map<string, TextKey>([
  ["is outside the workdir", "memory.file.outside"],
  ["is not a text file", "memory.file.not-text"],
  ["is not a regular file", "memory.file.not-regular"],
  ["is a directory; list it instead", "memory.file.not-regular"],
  ["may not be opened", "memory.file.no-right"],
]);

const refused = (reason: string): WholeFile => ({ type: "refused", reason });

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
