/**
 * The unconfirmed lines of memory, and the owner's decisions about them. A line is named by a short ref made of its
 * file and words, which stays the same when other lines change.
 */
import { createHash } from "node:crypto";
import { failure } from "../infra/failure.ts";
import type { WorkdirFiles } from "../sandbox/workdir-files.ts";
import { WorkdirError } from "../sandbox/workdir-opener.ts";
import { labelWords, readMemoryLine, writeMemoryLine } from "./labelled-line.ts";
import { listMemoryPaths } from "./list-memory-paths.ts";

export type UnconfirmedFiles = Pick<WorkdirFiles, "list" | "read" | "stamp" | "change">;

export interface UnconfirmedLine {
  ref: string;
  /** In the workdir. */
  path: string;
  /** Counted from 1. */
  line: number;
  text: string;
  /** `unconfirmed, from web example.org` */
  label: string;
}

const mostFileBytes = 4 * 1024 * 1024;
const hashLength = 64;
const shortest = 8;

/** By file and line, without duplicates. An unreadable file has none, and is reported to `onUnread`. */
export async function listUnconfirmed(
  files: Pick<UnconfirmedFiles, "list" | "read" | "stamp">,
  onUnread?: (path: string) => void,
): Promise<UnconfirmedLine[]> {
  const found = new Map<string, Omit<UnconfirmedLine, "ref">>();
  for (const path of await listMemoryPaths(files))
    for (const [at, raw] of (await linesOf(files, path, onUnread)).entries()) {
      const { text, label } = readMemoryLine(withoutEnd(raw));
      const hash = hashOf(path, raw);
      if (label === undefined || found.has(hash)) continue;
      found.set(hash, { path, line: at + 1, text, label: labelWords(label) });
    }
  const hashes = [...found.keys()];
  return [...found].map(([hash, line]) => ({ ref: shortestOf(hash, hashes), ...line }));
}

/** From now on the line is one like any other, on the disk when it resolves. Throws PincerError: `usage/not-found`, or `storage/failed`. */
export async function confirmLine(files: UnconfirmedFiles, ref: string): Promise<UnconfirmedLine> {
  return changeLine(files, ref, (raw) => {
    const { marks, text } = readMemoryLine(raw);
    return [writeMemoryLine({ marks, text })];
  });
}

/** The line is gone, on the disk when it resolves. Throws likewise. */
export const dropLine = (files: UnconfirmedFiles, ref: string): Promise<UnconfirmedLine> =>
  changeLine(files, ref, () => []);

/** The ref of a line as it is in the file, unless another line has one that begins alike. */
export const shortRefOf = (path: string, raw: string): string => hashOf(path, raw).slice(0, shortest);

async function changeLine(
  files: UnconfirmedFiles,
  ref: string,
  change: (raw: string) => string[],
): Promise<UnconfirmedLine> {
  const wanted = ref.trim().toLowerCase();
  const line = await findLine(files, wanted);
  const isMeant = (raw: string) => isLabelled(raw) && hashOf(line.path, raw).startsWith(wanted);
  const replaced = (raw: string) => change(withoutEnd(raw)).map((text) => text + endOf(raw));
  try {
    await files.change(line.path, mostFileBytes, (present) => {
      const lines = present.split("\n");
      const meant = new Set(lines.filter(isMeant).map(withoutEnd));
      // The file may have changed meanwhile: change exactly what was read, or nothing.
      if (meant.size !== 1) throw noSuchLine(ref);
      return lines.flatMap((raw) => (isMeant(raw) ? replaced(raw) : [raw])).join("\n");
    });
  } catch (cause) {
    if (!(cause instanceof WorkdirError)) throw cause;
    const why = { path: line.path, reason: cause.message };
    throw failure("storage/failed", "failure.memory-file", why, { hint: "failure.memory-file.hint", cause });
  }
  return line;
}

/** The only one that begins so: of two that do, neither was meant for sure. */
async function findLine(files: UnconfirmedFiles, wanted: string): Promise<UnconfirmedLine> {
  const isRef = wanted.length >= shortest && wanted.length <= hashLength;
  const all = isRef ? await listUnconfirmed(files) : [];
  const [found, second] = all.filter(({ ref }) => ref.startsWith(wanted) || wanted.startsWith(ref));
  if (!found || second) throw noSuchLine(wanted);
  return found;
}

/** No line, or more than one, is meant. */
export const noSuchLine = (ref: string) =>
  failure("usage/not-found", "failure.no-unconfirmed", { ref }, { hint: "failure.no-unconfirmed.hint" });

const hashOf = (path: string, raw: string): string =>
  createHash("sha256")
    .update(`${path}\0${withoutEnd(raw)}`)
    .digest("hex");

/** Two lines of a stranger's making may begin with the same hash: then both are named by more of it. */
function shortestOf(hash: string, all: readonly string[]): string {
  let length = shortest;
  while (
    length < hash.length &&
    all.some((other) => other !== hash && other.startsWith(hash.slice(0, length)))
  )
    length += 1;
  return hash.slice(0, length);
}

const isLabelled = (raw: string): boolean => readMemoryLine(raw).label !== undefined;
const withoutEnd = (raw: string): string => raw.replace(/\r$/, "");
const endOf = (raw: string): string => (raw.endsWith("\r") ? "\r" : "");

async function linesOf(
  files: Pick<UnconfirmedFiles, "read">,
  path: string,
  onUnread?: (path: string) => void,
): Promise<string[]> {
  try {
    return (await files.read(path, mostFileBytes)).text.split("\n");
  } catch (error) {
    if (!(error instanceof WorkdirError)) throw error;
    onUnread?.(path);
    return [];
  }
}
