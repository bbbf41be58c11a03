/**
 * Reads the log while it is written and rotated. A file is identified by its inode and not by its name, so that
 * nothing is missed or repeated when `gateway.log` becomes `gateway.log.1`.
 */
import { open, stat, type FileHandle } from "node:fs/promises";
import type { LogLevel, LogLineView } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { asideName } from "./log-file.ts";
import { readLogLine, weighs } from "./log-line.ts";

export interface TailRequest {
  file: string;
  /** How many at most. */
  lines: number;
  level?: LogLevel | undefined;
}

/** The last lines, oldest first, over as many files as it takes; none when there is no log yet. Throws the system's error. */
export async function tailLog({ file, lines, level = "trace" }: TailRequest): Promise<LogLineView[]> {
  return (await tail({ file, lines, level })).found;
}

/**
 * The last lines and then each new one, until the signal aborts. May be called before there is a log. Throws the system's error.
 */
export async function* followLog(
  request: TailRequest & { clock: Clock; signal: AbortSignal },
): AsyncGenerator<LogLineView, void> {
  const { file, level = "trace", clock, signal } = request;
  const { found, end } = await tail({ ...request, level });
  yield* found;
  let place = end;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    for (const { id, path, size } of await filesSince(file, place?.id)) {
      // One that is shorter than what was read of it is another one, or was emptied.
      const isSame: boolean = place?.id === id && place.bytes <= size;
      if (!isSame) rest = Buffer.alloc(0);
      let from: number = isSame && place ? place.bytes : 0;
      for (;;) {
        const bytes = await readFrom(path, id, from);
        if (bytes.length === 0) break;
        from += bytes.length;
        const text = Buffer.concat([rest, bytes]);
        const whole = text.lastIndexOf(newline) + 1;
        rest = text.subarray(whole);
        // Longer than any line of ours: not kept until its end comes.
        if (rest.length > mostLineBytes) rest = Buffer.alloc(0);
        for (const line of linesOf(text.subarray(0, whole), level)) yield line;
        if (signal.aborted) return;
      }
      place = { id, bytes: from };
    }
    await clock.sleep(lookAgainMs, signal).catch(() => undefined);
  }
}

const lookAgainMs = 250;
const chunkBytes = 64 * 1024;
const mostLineBytes = 1024 * 1024;
const mostFiles = 1000;
const newline = 0x0a;

interface LogFileOnDisk {
  path: string;
  id: string;
  size: number;
}

interface Place {
  id: string;
  bytes: number;
}

/** `end` is how far the newest file was read; a last line that is still being written is not counted. */
async function tail({
  file,
  lines,
  level,
}: Required<TailRequest> & { level: LogLevel }): Promise<{ found: LogLineView[]; end: Place | undefined }> {
  let found: LogLineView[] = [];
  let end: Place | undefined;
  for (const { path, id } of (await filesSince(file, undefined)).toReversed()) {
    const handle = await openSame(path, id);
    if (!handle) continue;
    try {
      const { size } = await handle.stat();
      const whole = await endOfLines(handle, size);
      end ??= { id, bytes: whole };
      const earlier = await lastLines(handle, whole, lines - found.length, level);
      found = earlier.concat(found);
    } finally {
      await handle.close();
    }
    if (found.length >= lines) break;
  }
  return { found, end };
}

/** Reads back from the end, as far as it takes. */
async function lastLines(
  handle: FileHandle,
  end: number,
  count: number,
  level: LogLevel,
): Promise<LogLineView[]> {
  /** Latest first. */
  const parts: LogLineView[][] = [];
  let open = Buffer.alloc(0);
  for (let at = end, found = 0; at > 0 && found < count;) {
    const length = Math.min(chunkBytes, at);
    at -= length;
    const text = Buffer.concat([await readAt(handle, at, length), open]);
    // What comes before the first end of a line belongs to a line that begins further back.
    const begin = at === 0 ? 0 : text.indexOf(newline) + 1;
    const isOneLine = begin === 0 && at > 0;
    open =
      isOneLine && text.length > mostLineBytes
        ? Buffer.alloc(0)
        : text.subarray(0, isOneLine ? undefined : begin);
    if (isOneLine) continue;
    const lines = linesOf(text.subarray(begin), level);
    parts.push(lines);
    found += lines.length;
  }
  return count > 0 ? parts.toReversed().flat().slice(-count) : [];
}

/** Where the last whole line ends. */
async function endOfLines(handle: FileHandle, size: number): Promise<number> {
  for (let at = size; at > 0;) {
    const length = Math.min(chunkBytes, at);
    at -= length;
    const found = (await readAt(handle, at, length)).lastIndexOf(newline);
    if (found >= 0) return at + found + 1;
  }
  return 0;
}

function linesOf(text: Buffer, level: LogLevel): LogLineView[] {
  const lines = text.toString("utf8").split("\n").filter(Boolean);
  return lines.map(readLogLine).filter((line) => weighs(line, level));
}

/** Oldest first: the one that is known and all that are newer; where it is gone or none is known, all. */
async function filesSince(file: string, known: string | undefined): Promise<LogFileOnDisk[]> {
  const files: LogFileOnDisk[] = [];
  for (let place = 0; place < mostFiles; place++) {
    const path = asideName(file, place);
    const found = await stat(path).catch(ifGone);
    if (found === undefined) {
      // Between two names, for a moment there is no newest one.
      if (place === 0) continue;
      break;
    }
    const id = idOf(found);
    if (!files.some((each) => each.id === id)) files.unshift({ path, id, size: found.size });
    if (id === known) break;
  }
  return files;
}

const idOf = ({ dev, ino }: { dev: number; ino: number }): string => `${dev}:${ino}`;

async function readFrom(path: string, id: string, from: number): Promise<Buffer> {
  const handle = await openSame(path, id);
  if (!handle) return Buffer.alloc(0);
  try {
    return await readAt(handle, from, chunkBytes);
  } finally {
    await handle.close();
  }
}

/** Undefined when another one has its name by now: the next look finds it under its new one. */
async function openSame(path: string, id: string): Promise<FileHandle | undefined> {
  const handle = await open(path, "r").catch(ifGone);
  if (!handle) return undefined;
  if (idOf(await handle.stat()) === id) return handle;
  await handle.close();
  return undefined;
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

function ifGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  throw error;
}
