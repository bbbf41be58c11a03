/** Opening a transcript for completing it, and finding where it goes on. */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { Entry } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import { encodeLine, unsealLine } from "./line-codec.ts";

/** Creates it where there is none, for its owner alone. Refuses anything but a plain file: a link planted there is not followed. */
export async function openTranscript(path: string): Promise<FileHandle> {
  return (await openMeasured(path)).file;
}

/** The same, with the size it has. */
export async function openMeasured(path: string): Promise<{ file: FileHandle; size: number }> {
  const file = await openPlain(path);
  try {
    const { mode, size } = await requirePlain(file, path);
    if ((mode & 0o077) !== 0) await file.chmod(0o600);
    return { file, size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A descriptor for writing, if there is a plain file of that size for its owner alone; what else there may be is not looked into. */
export function reopen(path: string, size: number): number | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_WRONLY | noTricks);
  } catch {
    // Opening it for a closer look shows why not.
    return undefined;
  }
  const status = fstatSync(file);
  if (status.isFile() && status.size === size && (status.mode & 0o077) === 0) return file;
  closeSync(file);
  return undefined;
}

/** Windows has neither flag; there, planting a link takes rights that make it pointless. */
const noTricks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function openPlain(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDWR | constants.O_CREAT | noTricks, 0o600);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ELOOP" || code === "EISDIR" || code === "ENXIO") throw notPlain(path, cause);
    throw cause;
  }
}

async function requirePlain(file: FileHandle, path: string): Promise<{ mode: number; size: number }> {
  const status = await file.stat();
  if (!status.isFile()) throw notPlain(path);
  return status;
}

const notPlain = (path: string, cause?: unknown) =>
  failure(
    "transcript/unreadable",
    "failure.transcript-no-file",
    { path },
    { hint: "failure.transcript-no-file.hint", cause },
  );

export type Continuation =
  /** `size` is where the last whole line ends, `after` its seq. */
  | { type: "continue"; after: number; size: number }
  /** The file is not a beginning of what the database holds. */
  | { type: "foreign" };

/**
 * Looks at the end of the file only. `entriesFrom` answers with the database's entry of that seq and the one after it. A piece
 * of a line at the end is cut off if it is a piece of the entry that belongs there; zeros are what a power cut leaves.
 */
export async function findContinuation(
  file: FileHandle,
  entriesFrom: (seq: number) => Promise<Entry[]>,
): Promise<Continuation> {
  const end = await readEnd(file);
  if (!end) return { type: "foreign" };

  const after = end.lastLine === undefined ? 0 : seqOf(end.lastLine);
  if (after === undefined) return { type: "foreign" };
  const stored = await entriesFrom(Math.max(after, 1));
  if (end.lastLine !== undefined) {
    const same = stored.shift();
    if (same?.seq !== after || encodeLine(same) !== end.lastLine) return { type: "foreign" };
  }
  const [next] = stored;
  const isPiece =
    end.torn.length === 0 || (next !== undefined && Buffer.from(encodeLine(next)).indexOf(end.torn) === 0);
  return isPiece ? { type: "continue", after, size: end.size } : { type: "foreign" };
}

function seqOf(line: string): number | undefined {
  const seq = /^\{"seq":([1-9]\d{0,15}),/.exec(unsealLine(line) ?? "")?.[1];
  return seq === undefined ? undefined : Number(seq);
}

interface FileEnd {
  /** The last line that has its line break; undefined when there is none. */
  lastLine: string | undefined;
  /** Where that line ends. */
  size: number;
  /** What follows it, without zeros at its end. */
  torn: Buffer;
}

const usualEnd = 64 * 1024;
const longestEnd = 128 * 1024 * 1024;

/** Undefined when the end is longer than any entry. */
async function readEnd(file: FileHandle): Promise<FileEnd | undefined> {
  const { size } = await file.stat();
  for (let length = usualEnd; length <= longestEnd; length *= 4) {
    const start = Math.max(0, size - length);
    const bytes = await readFrom(file, start, size - start);
    const lastBreak = bytes.lastIndexOf(0x0a);
    const breakBefore = lastBreak > 0 ? bytes.lastIndexOf(0x0a, lastBreak - 1) : -1;
    if (start > 0 && breakBefore < 0) continue;
    return {
      lastLine: lastBreak < 0 ? undefined : bytes.toString("utf8", breakBefore + 1, lastBreak),
      size: start + lastBreak + 1,
      torn: withoutZeros(bytes.subarray(lastBreak + 1)),
    };
  }
  return undefined;
}

async function readFrom(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
