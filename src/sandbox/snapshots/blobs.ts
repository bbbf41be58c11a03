/**
 * File contents by digest: each content once, for any number of files and turns. A blob is written to a temporary
 * file, synced and renamed, and never changed. Its first byte says whether the rest is compressed. Many are synced
 * together: a hundred take hardly longer than one.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createDeflateRaw, createInflateRaw, deflateRaw, inflateRaw } from "node:zlib";
import type { LoopYield } from "../../infra/loop-yield.ts";
import { eachOf } from "./each-of.ts";
import { errorCode, makeDirectories, syncNames, unlessMissing, type Disk } from "./disk.ts";

export interface Blobs {
  /**
   * Stores the content of an open file, probably `size` bytes, and returns its digest; undefined if it exceeds `most`
   * bytes. On disk after `flush`. Throws what the disk does.
   */
  keep(source: FileHandle, size: number, most: number): Promise<string | undefined>;
  /** Makes everything stored so far survive a power cut. Throws what the disk does. */
  flush(): Promise<void>;
  /** Discards what was not flushed. Always call it at the end; never throws. */
  drop(): Promise<void>;
  /** Writes it to an open file. False if it is missing or damaged: then the file is unusable. */
  copyTo(digest: string, target: FileHandle): Promise<boolean>;
  /** Its content; undefined if it has more bytes than `most`, or is missing or damaged. */
  read(digest: string, most: number): Promise<Buffer | undefined>;
  /** All that there are. */
  list(): AsyncGenerator<{ digest: string; bytes: number; keptAt: number }>;
  remove(digest: string): Promise<void>;
}

/** Written to a temporary file, not renamed yet. */
interface Fresh {
  beside: string;
  handle: FileHandle;
  digest: string;
}

const piece = 256 * 1024;
/** Less than a disk allocates at once. */
const smallest = 4096;
const inMemory = 1024 * 1024;
const plain = Buffer.from([0]);
const packed = Buffer.from([1]);
const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);
const quick = { level: 3 };
/** How many are synced together, and how many of these at once. Each is an open file. */
const together = 96;
const atOnce = 16;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;

export function createBlobs({
  directory,
  disk,
  loopYield,
  makeName,
}: {
  directory: string;
  disk: Disk;
  loopYield: LoopYield;
  /** Different each time. */
  makeName(): string;
}): Blobs {
  const directoryOf = (digest: string) => `${directory}/blobs/${digest.slice(0, 2)}`;
  const placeOf = (digest: string) => `${directoryOf(digest)}/${digest}`;
  const temporary = `${directory}/temporary`;
  const grown = new Set<string>();
  const fresh = new Map<string, Fresh>();
  let syncing: Promise<void> | undefined;

  /**
   * Another process may be about to prune it: touching it makes it count as new, by the file system's clock (see
   * `list`).
   */
  async function isKept(digest: string): Promise<boolean> {
    const found = await unlessMissing(disk.lstat(placeOf(digest)));
    if (found) await unlessMissing(disk.utimes(placeOf(digest), new Date()));
    return found !== undefined;
  }

  async function store(
    fill: (handle: FileHandle) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const beside = `${temporary}/${makeName()}`;
    const handle = await createBeside(beside);
    const digest = await fill(handle).catch(async (error: unknown) => {
      await discard({ beside, handle });
      throw error;
    });
    if (digest === undefined || fresh.has(digest)) await discard({ beside, handle });
    else fresh.set(digest, { beside, handle, digest });
    if (fresh.size >= together) await settle();
    return digest;
  }

  /** One after another, to limit open files. */
  async function settle(): Promise<void> {
    await (syncing ??= putInPlace().finally(() => (syncing = undefined)));
  }

  /** What fails stays in the list, to be dropped. */
  const putInPlace = () =>
    eachOf([...fresh.values()], atOnce, async ({ beside, handle, digest }) => {
      await disk.sync(handle);
      await moveInto(beside, digest);
      fresh.delete(digest);
      await handle.close();
    });

  async function discard({ beside, handle }: Omit<Fresh, "digest">): Promise<void> {
    try {
      await handle.close();
      await disk.unlink(beside);
    } catch {
      // Pruned later, with what crashes leave.
    }
  }

  async function createBeside(path: string): Promise<FileHandle> {
    const create = () => disk.create(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    return create().catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await makeDirectories(disk, directory, "temporary");
      return create();
    });
  }

  async function moveInto(beside: string, digest: string): Promise<void> {
    const move = () => disk.rename(beside, placeOf(digest));
    await move().catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await makeDirectories(disk, directory, "blobs", digest.slice(0, 2));
      grown.add(`${directory}/blobs`);
      return move();
    });
    grown.add(directoryOf(digest));
  }

  async function keepSmall(bytes: Buffer): Promise<string> {
    while (loopYield.isSpent()) await loopYield.turned();
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (fresh.has(digest) || (await isKept(digest))) return digest;
    const shorter = bytes.length < smallest ? undefined : await pack(bytes, quick);
    const isShorter = shorter !== undefined && shorter.length < bytes.length * 0.95;
    await store(async (handle) => {
      await disk.write(handle, isShorter ? Buffer.concat([packed, shorter]) : Buffer.concat([plain, bytes]));
      return digest;
    });
    return digest;
  }

  function keepLarge(first: Buffer, source: FileHandle, most: number): Promise<string | undefined> {
    return store(async (handle) => {
      const hash = createHash("sha256");
      let size = 0;
      async function* hashed() {
        for await (const bytes of piecesOf(first, source)) {
          while (loopYield.isSpent()) await loopYield.turned();
          size += bytes.length;
          if (size > most) return;
          hash.update(bytes);
          yield bytes;
        }
      }
      const write = async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await disk.write(handle, chunk);
      };
      const sample = await pack(first.subarray(0, piece), quick);
      const isShorter = sample.length < Math.min(piece, first.length) * 0.9;
      await disk.write(handle, isShorter ? packed : plain);
      if (isShorter) await pipeline(hashed, createDeflateRaw(quick), write);
      else await write(hashed());
      return size > most ? undefined : hash.digest("hex");
    });
  }

  return {
    async keep(source, size, most) {
      const first = await readUpTo(source, Math.min(inMemory, most) + 1, Math.min(size + 1, piece));
      if (first.length > most) return undefined;
      return first.length <= inMemory ? keepSmall(first) : keepLarge(first, source, most);
    },

    async flush() {
      while (fresh.size > 0) await settle();
      const folders = [...grown];
      grown.clear();
      await eachOf(folders, atOnce, (prefix) => syncNames(disk, prefix));
    },

    async drop() {
      await syncing?.catch(() => {});
      await eachOf([...fresh.values()], atOnce, discard);
      fresh.clear();
    },

    async copyTo(digest, target) {
      if (fresh.has(digest)) await settle();
      const handle = await unlessMissing(disk.open(placeOf(digest), O_RDONLY));
      if (!handle) return false;
      try {
        const hash = createHash("sha256");
        const write = async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) {
            while (loopYield.isSpent()) await loopYield.turned();
            hash.update(chunk);
            await disk.write(target, chunk);
          }
        };
        const [head] = await readUpTo(handle, 1);
        const held = piecesOf(Buffer.alloc(0), handle);
        if (head === 1) await pipeline(held, createInflateRaw(), write);
        else await write(held);
        return hash.digest("hex") === digest;
      } catch (error) {
        if (errorCode(error)?.startsWith("Z_")) return false;
        throw error;
      } finally {
        await handle.close();
      }
    },

    async read(digest, most) {
      if (fresh.has(digest)) await settle();
      const handle = await unlessMissing(disk.open(placeOf(digest), O_RDONLY));
      if (!handle) return undefined;
      try {
        const [head, ...rest] = await partsOf(handle, most);
        const held = Buffer.concat(rest);
        const bytes = head?.equals(packed) ? await unpack(held, { maxOutputLength: most }) : held;
        const isWhole = createHash("sha256").update(bytes).digest("hex") === digest;
        return isWhole && bytes.length <= most ? bytes : undefined;
      } catch (error) {
        if (errorCode(error)?.startsWith("Z_") || error instanceof RangeError) return undefined;
        throw error;
      } finally {
        await handle.close();
      }
    },

    async *list() {
      for (const prefix of (await unlessMissing(disk.readdir(`${directory}/blobs`))) ?? []) {
        for (const digest of await disk.readdir(`${directory}/blobs/${prefix}`)) {
          const found = await unlessMissing(disk.lstat(placeOf(digest)));
          // The last change by the file system's clock, which may be behind ours.
          if (found) yield { digest, bytes: found.size, keptAt: found.ctimeMs };
        }
      }
    },

    async remove(digest) {
      await unlessMissing(disk.unlink(placeOf(digest)));
    },
  };
}

/** The first byte, and up to one more than `most` of what follows. */
async function partsOf(handle: FileHandle, most: number): Promise<[Buffer, Buffer]> {
  const first = await readUpTo(handle, 1);
  return [first, await readUpTo(handle, most + 1)];
}

/** A short read of a regular file is its end. */
async function readUpTo(source: FileHandle, most: number, first = piece): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let left = most, next = first; left > 0; next = piece) {
    const bytes = Buffer.allocUnsafe(Math.min(next, left));
    const { bytesRead } = await source.read(bytes, 0, bytes.length, null);
    pieces.push(bytes.subarray(0, bytesRead));
    if (bytesRead < bytes.length) break;
    left -= bytesRead;
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

async function* piecesOf(first: Buffer, source: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; at < first.length; at += piece) yield first.subarray(at, at + piece);
  for (;;) {
    const bytes = await readUpTo(source, piece);
    if (bytes.length === 0) return;
    yield bytes;
  }
}
