/** Writing what a transcript lacks, at its end. */
import { closeSync, createReadStream, writeSync } from "node:fs";
import { mkdir, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Entry } from "@pincer/sdk";
import { encodeLine } from "./line-codec.ts";
import { readTranscript } from "./read-transcript.ts";
import { setAsideTranscript } from "./set-aside-transcript.ts";
import { findContinuation, openMeasured, reopen } from "./transcript-file.ts";

/** Where a file ends: `after` is the seq of its last line. */
export interface FileEnd {
  after: number;
  size: number;
}

type EntriesAfter = (after: number, limit: number) => Promise<Entry[]>;

/** Looks where the file goes on, and writes what is missing; sets it aside if it is not a beginning of the entries. */
export async function completeFile(
  path: string,
  entriesAfter: EntriesAfter,
  /** Gives the database what only the file has; answers how many entries that were. */
  takeBack: (entries: Entry[]) => Promise<number> = async () => 0,
): Promise<FileEnd> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  let { file, size } = await openMeasured(path);
  try {
    let continuation = await findContinuation(file, (seq) => entriesAfter(seq - 1, 2));
    // A longer copy that is whole is never replaced by a shorter one: the database has lost what it says.
    if (continuation.type === "foreign" && (await takeBack(await readWhole(path))) > 0)
      continuation = await findContinuation(file, (seq) => entriesAfter(seq - 1, 2));
    if (continuation.type === "foreign") {
      await file.close();
      await setAsideTranscript(path);
      ({ file, size } = await openMeasured(path));
      continuation = { type: "continue", after: 0, size: 0 };
    }
    if (size > continuation.size) await file.truncate(continuation.size);
    return await appendMissing(file, continuation, (after) => entriesAfter(after, pageSize));
  } finally {
    await file.close();
  }
}

/** None where a line of it is not as it was written. */
async function readWhole(path: string): Promise<Entry[]> {
  const { entries, problems } = await readTranscript(createReadStream(path));
  return problems.every(({ type }) => type === "torn-end") ? entries : [];
}

/**
 * The usual way: the file is as this process left it, and a little has come. Undefined when that is not so, and nothing was written: then
 * the file has to be looked at. On this thread: it takes microseconds, and four ways to another one and back take many times that.
 */
export async function goOn(
  path: string,
  last: FileEnd,
  entriesAfter: EntriesAfter,
): Promise<FileEnd | undefined> {
  const page = await entriesAfter(last.after, pageSize);
  const newest = page.at(-1);
  if (!newest || page.length === pageSize) return undefined;
  const file = reopen(path, last.size);
  if (file === undefined) return undefined;
  try {
    const bytes = linesOf(page);
    for (let written = 0; written < bytes.length;)
      written += writeSync(file, bytes, written, bytes.length - written, last.size + written);
    return { after: newest.seq, size: last.size + bytes.length };
  } finally {
    closeSync(file);
  }
}

const pageSize = 200;

/**
 * Each line goes to its own place. The lease keeps others away; should one write all the same, it writes the same bytes to the
 * same places, and no line ever stands there twice.
 */
async function appendMissing(
  file: FileHandle,
  { after, size }: FileEnd,
  nextPage: (after: number) => Promise<Entry[]>,
): Promise<FileEnd> {
  for (;;) {
    const page = await nextPage(after);
    const last = page.at(-1);
    if (!last) return { after, size };
    size = await writeAt(file, size, linesOf(page));
    after = last.seq;
    if (page.length < pageSize) return { after, size };
  }
}

const linesOf = (page: readonly Entry[]): Buffer =>
  Buffer.from(page.map((entry) => `${encodeLine(entry)}\n`).join(""));

/** Answers with the place behind what was written. */
async function writeAt(file: FileHandle, place: number, bytes: Buffer): Promise<number> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, place + written);
    written += bytesWritten;
  }
  return place + bytes.length;
}
