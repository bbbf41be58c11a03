/** Reads a file that others append to, line by line, from where it stopped before; only whole lines count. */
import { watch } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { ChannelHost } from "@pincer/sdk";
import { lineId, parsePlace, placeIn, tailOf, type FilePlace } from "./file-place.ts";

export interface FollowedFile {
  /** Resolves when no line is being taken any more. Safe to call twice; never throws. */
  close(): Promise<void>;
}

/** `takeLine` resolves when the line needs no second look; when it throws, the line comes again. */
export async function followFile(parts: {
  path: string;
  host: Pick<ChannelHost, "clock" | "cursor" | "log" | "signal">;
  takeLine(line: string, id: string): Promise<void>;
}): Promise<FollowedFile> {
  const { path, host } = parts;
  const closing = new AbortController();
  const onStop = () => closing.abort();
  host.signal.addEventListener("abort", onStop, { once: true });
  if (host.signal.aborted) closing.abort();
  const signs = watchFile(path);
  const work = follow({
    ...parts,
    place: parsePlace(await host.cursor.load()),
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

/** Where the system gives no sign of a change, so often is looked. */
const pollMs = 1000;
const chunkBytes = 64 * 1024;
/** A line longer than this is no message. */
const longestLineBytes = 1024 * 1024;

interface Following {
  path: string;
  host: Pick<ChannelHost, "clock" | "cursor" | "log">;
  takeLine(line: string, id: string): Promise<void>;
  place: FilePlace | undefined;
  signal: AbortSignal;
  signs: Signs;
}

async function follow(following: Following): Promise<void> {
  const { path, host, signal, signs } = following;
  let handle: FileHandle | undefined;
  while (!signal.aborted) {
    signs.hush();
    try {
      handle ??= await openIfThere(path);
      if (handle) {
        const moved = await readOn(following, handle);
        if (moved) continue;
        if (await isReplaced(path, handle)) {
          await handle.close();
          handle = undefined;
          continue;
        }
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
  const { path, host, takeLine, signal } = following;
  const place = await placeIn(handle, following.place);
  const isMoved = place !== following.place;
  following.place = place;
  const bytes = await readChunk(handle, place.offset);
  let end = 0;
  try {
    for (let at = bytes.indexOf(10); at >= 0 && !signal.aborted; at = bytes.indexOf(10, end)) {
      const line = bytes.toString("utf8", end, at).trim();
      if (line !== "") await takeLine(line, lineId(path, place, { offset: place.offset + end, text: line }));
      end = at + 1;
    }
    if (end === 0 && bytes.length > longestLineBytes) {
      host.log.warn(`${path}: a line of more than ${longestLineBytes} bytes was skipped`);
      end = bytes.length;
    }
  } finally {
    if (end > 0) {
      const offset = place.offset + end;
      following.place = { ...place, offset, tail: await tailOf(handle, offset) };
      await host.cursor.save(JSON.stringify(following.place));
    }
  }
  return end > 0 || isMoved;
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

interface Signs {
  hush(): void;
  /** Resolves at the next sign since `hush`, after `ms`, or when the signal aborts. Never throws. */
  next(clock: ChannelHost["clock"], ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Watches the directory, so that a file which is replaced or not there yet is seen too. */
function watchFile(path: string): Signs {
  let isSeen = false;
  let wake: (() => void) | undefined;
  const onSign = () => {
    isSeen = true;
    wake?.();
  };
  const watcher = startWatching(dirname(path), (name) => {
    if (name === null || name === basename(path)) onSign();
  });
  return {
    hush() {
      isSeen = false;
    },
    async next(clock, ms, signal) {
      if (isSeen) return;
      const timer = new AbortController();
      const onAbort = () => timer.abort();
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) timer.abort();
      wake = onAbort;
      // Aborted by a sign, which is what was waited for.
      await clock.sleep(ms, timer.signal).catch(() => undefined);
      wake = undefined;
      signal.removeEventListener("abort", onAbort);
    },
    close: () => watcher?.close(),
  };
}

function startWatching(directory: string, onName: (name: string | null) => void) {
  try {
    const watcher = watch(directory, (_event, name) => onName(name));
    // Looking now and then does what the signs would have done.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    // Looking now and then does what the signs would have done.
    return undefined;
  }
}
