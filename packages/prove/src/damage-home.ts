/** What happens to the files of a home between two lives. Nobody has it open then. */
import {
  existsSync,
  openSync,
  closeSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPageImage } from "../../../src/storage/salvage/page-image.ts";
import type { damages, losses } from "./cut.ts";
import type { Random } from "./random.ts";

const database = (home: string) => join(home, "core.db");
/** Of the log: its own header, and one of each page in it. */
const [logHeader, frameHeader] = [32, 24];

/** Writes noise over one page, the first one, or some of the log. False where there is none. */
export function damageHome(home: string, part: (typeof damages)[number], random: Random): boolean {
  const file = part === "log" ? `${database(home)}-wal` : database(home);
  // What lies in the log hides what lies in the file.
  if (part !== "log") emptyLog(home);
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  const pageSize = pageSizeOf(database(home));
  const places = part === "log" ? framesOf(file, pageSize) : pagesOf(size, pageSize);
  if (places.length === 0) return false;
  const place = part === "root" ? 0 : random.pick(places);
  const noise = Buffer.from(Array.from({ length: pageSize }, () => random.below(256)));
  const descriptor = openSync(file, "r+");
  try {
    writeSync(descriptor, noise, 0, noise.length, place);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

const pagesOf = (size: number, pageSize: number): number[] =>
  Array.from({ length: Math.floor(size / pageSize) }, (_, page) => page * pageSize);

/** Where the pages of the log lie, without what is left of an older one, and without the last: that one may be a write cut short. */
function framesOf(file: string, pageSize: number): number[] {
  if (!existsSync(file)) return [];
  const log = readFileSync(file);
  const salts = log.subarray(16, 24);
  const places: number[] = [];
  for (let at = logHeader; at + frameHeader + pageSize <= log.length; at += frameHeader + pageSize)
    if (log.subarray(at + 8, at + 16).equals(salts)) places.push(at + frameHeader);
  return places.slice(0, -1);
}

function pageSizeOf(file: string): number {
  const header = Buffer.alloc(18);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.readUInt16BE(16) || usualPageSize;
}

const usualPageSize = 1024;

/** The database is gone, or empty, or without its log, which a checkpoint has put into it in part. */
export function loseDatabase(home: string, how: (typeof losses)[number], random: Random): void {
  if (how === "checkpoint") checkpointInPart(home, random);
  if (how === "deleted") rmSync(database(home), { force: true });
  if (how === "truncated" && existsSync(database(home))) truncateSync(database(home));
  for (const end of ["-wal", "-shm"]) rmSync(`${database(home)}${end}`, { force: true });
}

/** A checkpoint goes through the pages in their order; this one ends at any of them. */
function checkpointInPart(home: string, random: Random): void {
  if (!existsSync(database(home))) return;
  const image = openPageImage(database(home));
  const descriptor = openSync(database(home), "r+");
  try {
    const last = random.between(1, Math.max(1, image.count));
    for (let number = 1; number <= last; number++) {
      const page = image.page(number);
      if (page) writeSync(descriptor, page, 0, page.length, (number - 1) * image.pageSize);
    }
  } finally {
    closeSync(descriptor);
    image.close();
  }
}

/** As a product would that keeps no second copy of its policy. */
export const losePolicyCopy = (home: string): void =>
  rmSync(join(home, "policy-copy.jsonl"), { force: true });

function emptyLog(home: string): void {
  if (!existsSync(database(home))) return;
  const connection = new DatabaseSync(database(home));
  try {
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    connection.close();
  }
}
