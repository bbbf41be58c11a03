/**
 * A position in a file that others append to, kept over restarts. A file is identified by its inode and the bytes
 * before the position: one that was replaced, cut or rewritten is another file, and is read from its beginning.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

export interface FilePlace {
  /** Rises each time the file turns out to be another. */
  generation: number;
  inode: string;
  offset: number;
  /** Digest of the bytes just before the offset. */
  tail: string;
  /** The offset is inside a line that was refused for its length: what comes up to the next line end belongs to it. */
  isInLongLine?: true;
}

const tailBytes = 256;

export const parsePlace = (cursor: string | undefined): FilePlace | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const place = JSON.parse(cursor) as Partial<FilePlace>;
    const { generation, inode, offset, tail } = place;
    const isWhole = Number.isInteger(generation) && Number.isInteger(offset);
    if (!isWhole || typeof inode !== "string" || typeof tail !== "string") return undefined;
    return place as FilePlace;
  } catch {
    // Not our cursor: start over, and let the ids detect duplicates.
    return undefined;
  }
};

/** The place in this open file, or its beginning when the place was in another. */
export async function placeIn(handle: FileHandle, before: FilePlace | undefined): Promise<FilePlace> {
  const { ino, size } = await handle.stat({ bigint: true });
  const inode = String(ino);
  if (before && before.inode === inode && BigInt(before.offset) <= size) {
    if ((await tailOf(handle, before.offset)) === before.tail) return before;
  }
  return { generation: (before?.generation ?? 0) + 1, inode, offset: 0, tail: digest(Buffer.alloc(0)) };
}

export async function tailOf(handle: FileHandle, offset: number): Promise<string> {
  const length = Math.min(offset, tailBytes);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = length > 0 ? await handle.read(buffer, 0, length, offset - length) : { bytesRead: 0 };
  return digest(buffer.subarray(0, bytesRead));
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

/** Names a line that has no id: the same for every reading of it, and another for every other line of every file. */
export function lineId(path: string, place: FilePlace, line: { offset: number; text: string }): string {
  const facts = [path, place.inode, String(place.generation), line.text];
  const hash = createHash("sha256").update(JSON.stringify(facts)).digest("hex");
  return `line-${line.offset}-${hash.slice(0, 16)}`;
}
