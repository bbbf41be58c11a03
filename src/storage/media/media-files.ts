/**
 * Files named by the digest of their content. The last use is the file's own change time, so there is no separate
 * list that a crash could leave inconsistent. Cleaning moves a file away before it checks that time again, so that a
 * file stored at the same moment, by any process, stays.
 */
import { createHash, randomBytes } from "node:crypto";
import * as nodeFiles from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensureDir } from "../../config/home.ts";
import { syncDirectory } from "../../infra/sync-to-disk.ts";
import { contentInFile, contentInMemory, type MediaContent } from "./media-content.ts";

/** The disk operations it uses; tests pass a disk that fails. */
export type MediaFiles = Pick<
  typeof nodeFiles,
  "open" | "readdir" | "readFile" | "rename" | "stat" | "unlink" | "utimes"
>;

export interface Kept {
  digest: string;
  bytes: number;
  usedAt: number;
}

/** A file that is on the disk, and under no name yet that anybody could know. */
export interface Staged {
  file: string;
  digest: string;
  bytes: number;
}

export interface MediaBlobs {
  /**
   * Writes the pieces to a temporary file; on disk and complete when it resolves. Throws what the pieces do and the
   * system's errors, leaving nothing. The caller puts it or removes it; a crash leaves a leftover.
   */
  stage(pieces: AsyncIterable<Uint8Array>, now: number): Promise<Staged>;
  /** What is in it. Throws the system's errors, and what `look` does. */
  look<Seen>(staged: Staged, look: (content: MediaContent) => Promise<Seen>): Promise<Seen>;
  /** As `put`, of a staged one, which has gone when it resolves. Throws the system's errors, and the staged one is there as before. */
  putStaged(staged: Staged, now: number): Promise<boolean>;
  /** On the disk, whole and used now when it resolves; true when it was not there before. Throws the system's errors, leaving nothing. */
  put(digest: string, content: Uint8Array, now: number): Promise<boolean>;
  /** Undefined when it is not there or no longer what it was. Counts as a use. Throws the system's errors. */
  take(digest: string, now: number): Promise<Uint8Array | undefined>;
  /** All there is, in no order, and what interrupted writes have left. Throws when a directory cannot be read. */
  list(): Promise<{ kept: Kept[]; leftovers: Array<{ file: string; writtenAt: number }> }>;
  /** False when it was used after `usedAt`, and stays. Throws the system's errors. Gone already is as good. */
  remove(kept: Pick<Kept, "digest" | "usedAt">): Promise<boolean>;
  /** Throws the system's errors. Gone already is as good. */
  removeLeftover(file: string): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;

export function createMediaBlobs({
  directory,
  files = nodeFiles,
}: {
  directory: string;
  files?: MediaFiles | undefined;
}): MediaBlobs {
  const fileOf = (digest: string) => join(directory, digest.slice(0, 2), digest);
  const besides = (file: string) => `${file}.${randomBytes(6).toString("hex")}.tmp`;

  return {
    async stage(pieces, now) {
      // Named like what it may become: what is left of it is found as every other leftover.
      const file = besides(fileOf(randomBytes(32).toString("hex")));
      const hash = createHash("sha256");
      let bytes = 0;
      await writeNew(file, now, async (handle) => {
        for await (const piece of pieces) {
          hash.update(piece);
          bytes += piece.byteLength;
          await handle.writeFile(piece);
        }
      });
      return { file, digest: hash.digest("hex"), bytes };
    },
    look: ({ file, bytes }, look) => withContent(file, bytes, look),
    async putStaged({ file: staged, digest }, now) {
      const file = fileOf(digest);
      const before = await sizeOf(file);
      if (before !== undefined && (await isWhole(file, digest)) && (await use(file, now))) {
        await files.unlink(staged);
        return false;
      }
      ensureDir(dirname(file));
      await files.rename(staged, file);
      await syncDirectory(dirname(file));
      return before === undefined;
    },
    async put(digest, content, now) {
      const file = fileOf(digest);
      const before = await sizeOf(file);
      if (before !== undefined && (await isWhole(file, digest)) && (await use(file, now))) return false;
      await write(file, content, now);
      return before === undefined;
    },
    async take(digest, now) {
      const file = fileOf(digest);
      const content = await files.readFile(file).catch(unlessMissing);
      // Damaged content is not what was sent.
      if (content === undefined || (await digestOf(contentInMemory(content))) !== digest) return undefined;
      const usedAt = (await files.stat(file).catch(unlessMissing))?.mtimeMs;
      // A home that may only be read can still show what it has.
      if (usedAt !== undefined && now - usedAt > dayMs) await use(file, now).catch(() => undefined);
      return content;
    },
    async list() {
      const kept: Kept[] = [];
      const leftovers: Array<{ file: string; writtenAt: number }> = [];
      for (const folder of await namesIn(directory, /^[0-9a-f]{2}$/)) {
        for (const name of await namesIn(join(directory, folder), /^[0-9a-f]{64}(?:\.[0-9a-f]+\.tmp)?$/)) {
          const file = join(directory, folder, name);
          const stats = await files.stat(file).catch(unlessMissing);
          if (!stats?.isFile()) continue;
          if (name.endsWith(".tmp")) leftovers.push({ file, writtenAt: stats.mtimeMs });
          else kept.push({ digest: name, bytes: stats.size, usedAt: stats.mtimeMs });
        }
      }
      return { kept, leftovers };
    },
    async remove({ digest, usedAt }) {
      const file = fileOf(digest);
      const aside = besides(file);
      if ((await files.rename(file, aside).then(() => true, unlessMissing)) === undefined) return true;
      if ((await files.stat(aside)).mtimeMs > usedAt) {
        await files.rename(aside, file);
        return false;
      }
      await files.unlink(aside);
      return true;
    },
    async removeLeftover(file) {
      await files.unlink(file).catch(unlessMissing);
    },
  };

  async function sizeOf(file: string): Promise<number | undefined> {
    return (await files.stat(file).catch(unlessMissing))?.size;
  }

  /** Damaged files are rewritten when the content is stored again. */
  async function isWhole(file: string, digest: string): Promise<boolean> {
    const size = await sizeOf(file);
    const found = await withContent(file, size ?? 0, digestOf).catch(() => undefined);
    return found !== undefined && found === digest;
  }

  async function withContent<Seen>(
    file: string,
    bytes: number,
    look: (content: MediaContent) => Promise<Seen>,
  ): Promise<Seen> {
    const handle = await files.open(file, "r");
    try {
      return await look(contentInFile(handle, bytes));
    } finally {
      await handle.close();
    }
  }

  /** False when it is being removed at this moment: only what still has its name after it was used is seen as used. */
  async function use(file: string, now: number): Promise<boolean> {
    const at = new Date(now);
    await files.utimes(file, at, at).catch(unlessMissing);
    return (await sizeOf(file)) !== undefined;
  }

  async function write(file: string, content: Uint8Array, now: number): Promise<void> {
    const temporary = besides(file);
    await writeNew(temporary, now, (handle) => handle.writeFile(content));
    await orLeaveNothing(temporary, () => files.rename(temporary, file));
    await syncDirectory(dirname(file));
  }

  /** A file that is not there yet, whole and on the disk when it resolves; when it throws there is none. */
  async function writeNew(
    file: string,
    now: number,
    fill: (handle: nodeFiles.FileHandle) => Promise<void>,
  ): Promise<void> {
    ensureDir(dirname(file));
    await orLeaveNothing(file, async () => {
      const handle = await files.open(file, "wx", 0o600);
      try {
        await fill(handle);
        const at = new Date(now);
        await handle.utimes(at, at);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  }

  async function orLeaveNothing(file: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // The error that led here says more than one about a leftover would.
      await files.unlink(file).catch(() => undefined);
      throw error;
    }
  }

  async function namesIn(path: string, form: RegExp): Promise<string[]> {
    const names = (await files.readdir(path).catch(unlessMissing)) ?? [];
    return names.filter((name) => form.test(name));
  }
}

export async function digestOf(content: MediaContent): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of content.pieces()) hash.update(piece);
  return hash.digest("hex");
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
