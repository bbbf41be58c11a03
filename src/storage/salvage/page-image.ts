/**
 * The pages of a SQLite file as the last commit left them: those of the write-ahead log where it has them, the others from the file. Reads
 * only, and needs nothing of the file to be whole. Nobody in this process may have the database open: closing a descriptor drops its locks.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface PageImage {
  pageSize: number;
  /** Bytes of a page that hold content. */
  usable: number;
  count: number;
  /** Pages count from 1. Undefined where the file has no such page. */
  page(number: number): Buffer | undefined;
  close(): void;
}

/** Those of this version and of earlier ones. */
const pageSizes = [1024, 4096];
const headerLength = 100;
const magic = "SQLite format 3\0";

/** Throws what the file system does. */
export function openPageImage(file: string): PageImage {
  const descriptor = openSync(file, "r");
  const log = openIfThere(`${file}-wal`);
  const { size } = fstatSync(descriptor);
  const header = readAt(descriptor, 0, headerLength);
  const isWhole = header.length === headerLength && header.toString("latin1", 0, magic.length) === magic;
  const stated = isWhole ? header.readUInt16BE(16) : 0;
  const pageSize =
    stated === 1
      ? 65_536
      : isPageSize(stated)
        ? stated
        : (pageSizeOf(log) ?? guessPageSize(descriptor, size));
  const reserved = isPageSize(stated) && (header[20] ?? 0) <= 64 ? (header[20] ?? 0) : 0;
  const { places, pages } = log === undefined ? noLog : readLog(log, pageSize);
  return {
    pageSize,
    usable: pageSize - reserved,
    count: Math.max(Math.floor(size / pageSize), pages),
    page(number) {
      const place = places.get(number);
      const bytes =
        place !== undefined && log !== undefined
          ? readAt(log, place, pageSize)
          : readAt(descriptor, (number - 1) * pageSize, pageSize);
      return number >= 1 && bytes.length === pageSize ? bytes : undefined;
    },
    close() {
      closeSync(descriptor);
      if (log !== undefined) closeSync(log);
    },
  };
}

const noLog = { places: new Map<number, number>(), pages: 0 };
const logHeaderLength = 32;
const frameHeaderLength = 24;

/** Where the log has its newest version of each page, as far as its checksums hold and something was committed. */
function readLog(log: number, pageSize: number): { places: Map<number, number>; pages: number } {
  const header = readAt(log, 0, logHeaderLength);
  if (header.length < logHeaderLength || header.readUInt32BE(8) !== pageSize) return noLog;
  const magic = header.readUInt32BE(0);
  if (magic >>> 1 !== 0x377f0682 >>> 1) return noLog;
  const isBig = (magic & 1) === 1;
  let sums = checksum(header.subarray(0, 24), [0, 0], isBig);
  if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) return noLog;
  const places = new Map<number, number>();
  let open = new Map<number, number>();
  let pages = 0;
  for (let at = logHeaderLength; ; at += frameHeaderLength + pageSize) {
    const frame = readAt(log, at, frameHeaderLength + pageSize);
    if (frame.length < frameHeaderLength + pageSize) break;
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) break;
    sums = checksum(frame.subarray(0, 8), sums, isBig);
    sums = checksum(frame.subarray(frameHeaderLength), sums, isBig);
    if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) break;
    open.set(frame.readUInt32BE(0), at + frameHeaderLength);
    const committedPages = frame.readUInt32BE(4);
    if (committedPages === 0) continue;
    for (const [page, place] of open) places.set(page, place);
    open = new Map();
    pages = committedPages;
  }
  return { places, pages };
}

/** As SQLite sums up its log: two words at a time. */
export function checksum(bytes: Buffer, [first, second]: [number, number], isBig: boolean): [number, number] {
  for (let at = 0; at < bytes.length; at += 8) {
    const one = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const two = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + one + second) >>> 0;
    second = (second + two + first) >>> 0;
  }
  return [first, second];
}

/** As the log says it; undefined where there is none that does. */
function pageSizeOf(log: number | undefined): number | undefined {
  const header = log === undefined ? noBytes : readAt(log, 0, logHeaderLength);
  const stated = header.length < logHeaderLength ? 0 : header.readUInt32BE(8);
  return isPageSize(stated) && stated <= 65_536 ? stated : undefined;
}

const noBytes = Buffer.alloc(0);

/** Where the header is lost: the size at whose multiples most pages of trees lie. */
function guessPageSize(descriptor: number, size: number): number {
  const hits = (pageSize: number) => {
    const count = Math.min(500, Math.floor(size / pageSize));
    const pages = Array.from({ length: count }, (_, page) => readAt(descriptor, page * pageSize, pageSize));
    return pages.filter(fillsItsPage).length / Math.max(1, count);
  };
  return pageSizes.toSorted((a, b) => hits(b) - hits(a))[0] ?? pageSizes[0] ?? 1024;
}

const leafTypes = new Set([0x0a, 0x0d]);

/** Whether it is a leaf of a tree whose cells lie within the page, up to its end: they are laid down from there. */
function fillsItsPage(page: Buffer): boolean {
  if (page.length < 8) return false;
  const cells = page.readUInt16BE(3);
  if (!leafTypes.has(page[0] ?? 0) || cells === 0 || 8 + cells * 2 > page.length) return false;
  const places = Array.from({ length: cells }, (_, cell) => page.readUInt16BE(8 + cell * 2));
  return places.every((at) => at < page.length) && Math.max(...places) >= page.length / 4;
}

const isPageSize = (size: number): boolean => size >= 512 && (size & (size - 1)) === 0;

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Shorter than asked for at the end of the file; empty where the disk cannot read it. */
function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  } catch {
    // A sector that the disk has lost: the page counts as damaged, and the others are read.
    return bytes.subarray(0, 0);
  }
}
