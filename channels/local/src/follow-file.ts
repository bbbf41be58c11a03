/** Reads a file that others append to, line by line, from the last position; only whole lines count. */
import { open, stat, type FileHandle } from "node:fs/promises";
import type { ChannelHost } from "@pincer/sdk";
import { lineId, parsePlace, placeIn, tailOf, type FilePlace } from "./file-place.ts";
import { watchFile, type FileSigns } from "./file-signs.ts";

export interface FollowedFile {
  /** Resolves when no line is being taken any more. Safe to call twice; never throws. */
  close(): Promise<void>;
}

export interface LineTaker {
  /** Resolves when the line needs no second look; when it throws, the line comes again. */
  takeLine(line: string, id: string): Promise<void>;
  /** For each line behind one that threw. Must not throw. */
  putOffLine(line: string, error: unknown): void;
  /** Called once for a line that is too long; again if it throws. */
  refuseLine(reason: string, id: string): Promise<void>;
}

export async function followFile(
  parts: LineTaker & {
    path: string;
    host: Pick<ChannelHost, "clock" | "cursor" | "log" | "signal" | "alive">;
  },
): Promise<FollowedFile> {
  const { path, host } = parts;
  // First what can fail: a watch that nobody closes keeps the process alive.
  const place = parsePlace(await host.cursor.load());
  const closing = new AbortController();
  const onStop = () => closing.abort();
  host.signal.addEventListener("abort", onStop, { once: true });
  if (host.signal.aborted) closing.abort();
  const signs = watchFile(path);
  const work = follow({
    ...parts,
    place,
    signal: closing.signal,
    signs,
  });
  return {
    async close() {
      closing.abort();
      await work;
      host.signal.removeEventListener("abort", onStop);
      signs.close();
    },
  };
}

/** The poll interval if the system reports no changes. */
export const pollMs = 1000;
const chunkBytes = 64 * 1024;
/** A line longer than this is no message. */
const longestLineBytes = 1024 * 1024;

interface Following extends LineTaker {
  path: string;
  host: Pick<ChannelHost, "clock" | "cursor" | "log" | "alive">;
  place: FilePlace | undefined;
  signal: AbortSignal;
  signs: FileSigns;
}

async function follow(following: Following): Promise<void> {
  const { path, host, signal, signs } = following;
  let handle: FileHandle | undefined;
  while (!signal.aborted) {
    signs.hush();
    try {
      handle ??= await openIfThere(path);
      // A missing file was checked, and nobody has written to it.
      if (!handle) host.alive();
      if (handle) {
        const moved = await readOn(following, handle);
        if (moved) continue;
        if (await isReplaced(path, handle)) {
          await handle.close();
          handle = undefined;
          continue;
        }
        host.alive();
      }
    } catch (error) {
      host.log.warn(
        `${path} could not be read on: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    await signs.next(host.clock, pollMs, signal);
  }
  await handle?.close();
}

/** Takes the whole lines of the next chunk and remembers the place; false when there was none. */
async function readOn(following: Following, handle: FileHandle): Promise<boolean> {
  const { path, signal } = following;
  const place = await placeIn(handle, following.place);
  const isMoved = place !== following.place;
  following.place = place;
  if (place.isInLongLine) return (await skipLine(following, handle, place)) || isMoved;
  const bytes = await readChunk(handle, place.offset);
  let end = 0;
  let isInLongLine = false;
  const idOf = (text: string) => lineId(path, place, { offset: place.offset + end, text });
  const refuse = () => following.refuseLine(`a line holds at most ${longestLineBytes} bytes`, idOf(""));
  try {
    for (let at = bytes.indexOf(10); at >= 0 && !signal.aborted; at = bytes.indexOf(10, end)) {
      const line = at - end > longestLineBytes ? undefined : bytes.toString("utf8", end, at).trim();
      if (line === undefined) await refuse();
      else if (line !== "") await following.takeLine(line, idOf(line));
      end = at + 1;
    }
    if (end === 0 && bytes.length > longestLineBytes && !signal.aborted) {
      await refuse();
      isInLongLine = true;
      end = bytes.length;
    }
  } catch (error) {
    for (const line of wholeLines(bytes.subarray(end)).slice(1)) following.putOffLine(line, error);
    throw error;
  } finally {
    if (end > 0) await remember(following, handle, { ...place, offset: place.offset + end }, isInLongLine);
  }
  return end > 0 || isMoved;
}

const wholeLines = (bytes: Buffer): string[] => bytes.toString("utf8").split("\n").slice(0, -1);

/** Goes to the end of a line that is too long, or as far as it has been written. */
async function skipLine(following: Following, handle: FileHandle, place: FilePlace): Promise<boolean> {
  const chunk = Buffer.alloc(chunkBytes);
  let { offset } = place;
  let isInLongLine = true;
  while (isInLongLine && !following.signal.aborted) {
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, offset);
    if (bytesRead === 0) break;
    const at = chunk.subarray(0, bytesRead).indexOf(10);
    isInLongLine = at < 0;
    offset += at < 0 ? bytesRead : at + 1;
  }
  if (offset === place.offset) return false;
  await remember(following, handle, { ...place, offset }, isInLongLine);
  return true;
}

async function remember(
  following: Following,
  handle: FileHandle,
  { generation, inode, offset }: FilePlace,
  isInLongLine: boolean,
): Promise<void> {
  const tail = await tailOf(handle, offset);
  following.place = { generation, inode, offset, tail, ...(isInLongLine && { isInLongLine }) };
  await following.host.cursor.save(JSON.stringify(following.place));
}

/** From the offset on: a chunk, or as many as one line needs. */
async function readChunk(handle: FileHandle, offset: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length <= longestLineBytes && !bytes.includes(10)) {
    const chunk = Buffer.alloc(chunkBytes);
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, offset + bytes.length);
    if (bytesRead === 0) break;
    bytes = Buffer.concat([bytes, chunk.subarray(0, bytesRead)]);
  }
  return bytes;
}

const openIfThere = (path: string): Promise<FileHandle | undefined> =>
  open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

/** Whether the name means another file now; the old one has been read to its end. */
async function isReplaced(path: string, handle: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([
    stat(path, { bigint: true }).catch(() => undefined),
    handle.stat({ bigint: true }),
  ]);
  return named !== undefined && named.ino !== opened.ino;
}
