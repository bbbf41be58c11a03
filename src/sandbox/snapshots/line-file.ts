/**
 * Files of lines that are there whole or not at all: written beside, synced, and renamed into place; the last line is the checksum of
 * those before it. Written and read in pieces, since a listing of a large tree is megabytes.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { basename, dirname } from "node:path";
import type { LoopYield } from "../../infra/loop-yield.ts";
import { errorCode, makeDirectories, syncNames, unlessMissing, type Disk } from "./disk.ts";

/** How the name of a file ends that is being written. */
export const besideEnd = ".new";

const pieceLines = 200;
const pieceBytes = 256 * 1024;

export interface LineFiles {
  /** On the disk when it resolves. Throws what the disk does. */
  write(path: string, lines: Iterable<unknown>): Promise<void>;
  /** Undefined when there is none, or what is there is not whole. */
  read(path: string): Promise<unknown[] | undefined>;
}

export function createLineFiles({
  disk,
  loopYield,
  makeName,
}: {
  disk: Disk;
  loopYield: LoopYield;
  /** Another each time, in every process. */
  makeName(): string;
}): LineFiles {
  return {
    async write(path, lines) {
      // Another process may be writing the same.
      const beside = `${path}.${makeName()}${besideEnd}`;
      const { O_WRONLY, O_CREAT, O_EXCL } = constants;
      const create = () => disk.create(beside, O_WRONLY | O_CREAT | O_EXCL, 0o600);
      const handle = await create().catch(async (error: unknown) => {
        if (errorCode(error) !== "ENOENT") throw error;
        await makeDirectories(disk, dirname(dirname(path)), basename(dirname(path)));
        return create();
      });
      try {
        const hash = createHash("sha256");
        for (const piece of piecesOf(lines)) {
          while (loopYield.isSpent()) await loopYield.turned();
          const bytes = Buffer.from(piece.map((line) => `${JSON.stringify(line)}\n`).join(""));
          hash.update(bytes);
          await disk.write(handle, bytes);
        }
        await disk.write(handle, Buffer.from(`${hash.digest("hex")}\n`));
        await disk.sync(handle);
      } finally {
        await handle.close();
      }
      await disk.rename(beside, path);
      await syncNames(disk, dirname(path));
    },

    async read(path) {
      const handle = await unlessMissing(disk.open(path, constants.O_RDONLY));
      if (!handle) return undefined;
      try {
        return await readWhole(handle, loopYield);
      } finally {
        await handle.close();
      }
    },
  };
}

async function readWhole(
  handle: Awaited<ReturnType<Disk["open"]>>,
  loopYield: LoopYield,
): Promise<unknown[] | undefined> {
  const hash = createHash("sha256");
  const values: unknown[] = [];
  const piece = Buffer.alloc(pieceBytes);
  let rest = Buffer.alloc(0);
  /** The newest line waits until the next one shows that it is not the checksum. */
  let last: Buffer | undefined;
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, piece.length);
    if (bytesRead === 0) break;
    let bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      while (loopYield.isSpent()) await loopYield.turned();
      if (last) {
        hash.update(last);
        const value = parsed(last);
        if (value === undefined) return undefined;
        values.push(value);
      }
      last = Buffer.from(bytes.subarray(0, end + 1));
      bytes = bytes.subarray(end + 1);
    }
    rest = Buffer.from(bytes);
  }
  const isWhole = rest.length === 0 && last?.toString().trim() === hash.digest("hex");
  return isWhole ? values : undefined;
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    // Not ours, or cut short: the file counts as not there.
    return undefined;
  }
}

function* piecesOf(lines: Iterable<unknown>): Generator<unknown[]> {
  let piece: unknown[] = [];
  for (const line of lines) {
    piece.push(line);
    if (piece.length < pieceLines) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
