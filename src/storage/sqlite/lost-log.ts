/**
 * Notices that the write-ahead log is gone or damaged. SQLite takes a missing log for an empty one, and what follows a damaged page of it for
 * never written: the database goes back in time without a word. A mark beside the database says that it is open, and since which start of the
 * machine. It goes before a clean close, after which there is no log; where the mark is left, the log has to be there, and as long as the
 * machine has not been started anew, all of it.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { checksum } from "../salvage/page-image.ts";

/** gone: there is no log. damaged: a page of it cannot be read, and more was committed behind it. */
export type LostLog = "gone" | "damaged";

export const openMarkOf = (file: string): string => `${file}-open`;

/** Before it is opened. Throws what the file system does. */
export function findLostLog(file: string, boot = bootId()): LostLog | undefined {
  const mark = readMark(file);
  if (mark === undefined || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  const log = `${file}-wal`;
  if (!existsSync(log)) return "gone";
  // After a power loss anything may be missing that was never synced.
  if (mark !== boot || boot === "") return undefined;
  const at = findDamage(log);
  // Somebody else may be writing right now: then it is further on by now.
  return at !== undefined && findDamage(log) === at ? "damaged" : undefined;
}

/** When it is open and its log is there. A mark that cannot be written is none: then nothing is noticed. Never throws. */
export function markOpen(file: string, boot = bootId()): void {
  try {
    if (readMark(file) !== boot) writeFileSync(openMarkOf(file), `${boot}\n`, { mode: 0o600 });
  } catch {
    // A full disk, for instance. The database says so itself.
  }
}

/** Closing empties the log and takes it away, so the mark goes before. Throws what `close` does. */
export function closeUnmarked(file: string, close: () => void): void {
  rmSync(openMarkOf(file), { force: true });
  try {
    close();
  } finally {
    // Somebody else has it open still, or the log could not be emptied. They may be closing right now.
    if (existsSync(`${file}-wal`)) markOpen(file);
    if (!existsSync(`${file}-wal`)) rmSync(openMarkOf(file), { force: true });
  }
}

function readMark(file: string): string | undefined {
  try {
    return readFileSync(openMarkOf(file), "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Another one after each start of the machine; empty where that cannot be known. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Not Linux.
    return "";
  }
}

const headerLength = 32;
const frameHeaderLength = 24;

/**
 * The first frame that is damaged although a commit follows it; undefined where there is none. Behind the end of the log lie the frames of a
 * transaction that was cut off before, perhaps with the head of its commit. So a commit counts only if its checksum, which goes on from the
 * one in the frame before it, is right.
 */
function findDamage(log: string): number | undefined {
  const descriptor = openSync(log, "r");
  try {
    const header = readAt(descriptor, 0, headerLength);
    // Empty: all of it is in the database.
    if (header.length < headerLength) return undefined;
    const isBig = (header.readUInt32BE(0) & 1) === 1;
    let before: [number, number] = [header.readUInt32BE(24), header.readUInt32BE(28)];
    if (!isEqual(checksum(header.subarray(0, 24), [0, 0], isBig), before)) return 0;
    const frameLength = frameHeaderLength + header.readUInt32BE(8);
    let damaged: { at: number; isOurs: boolean } | undefined;
    for (let at = headerLength; ; at += frameLength) {
      const frame = readAt(descriptor, at, frameLength);
      if (frame.length < frameHeaderLength) return undefined;
      const isOurs = frame.subarray(8, 16).equals(header.subarray(16, 24));
      const sums: [number, number] = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
      const isRight =
        isOurs &&
        frame.length === frameLength &&
        isEqual(
          checksum(frame.subarray(frameHeaderLength), checksum(frame.subarray(0, 8), before, isBig), isBig),
          sums,
        );
      before = sums;
      if (damaged === undefined) {
        if (!isRight) damaged = { at, isOurs };
        continue;
      }
      // What follows is older than the last time the log was begun anew.
      if (!isOurs) return undefined;
      // Between frames of ours, one that is not is damaged for certain, and what goes on from it cannot be proved.
      const isCertain = isRight || (!damaged.isOurs && at === damaged.at + frameLength);
      if (isCertain && frame.readUInt32BE(4) > 0) return damaged.at;
    }
  } finally {
    closeSync(descriptor);
  }
}

const isEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one[0] === other[0] && one[1] === other[1];

function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}
