/**
 * A file beside the database that holds rules, people, grants, ways in and credentials a second time. Each line is one transaction with its
 * number and a checksum; a line that a crash cut off, or that is damaged, ends what is believed of the file. Secrets are in it as in the
 * database: encrypted, or as digests.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

export type PolicyRow = Record<string, string | number | null>;

/** `key` of a row that is gone. */
export type PolicyChange =
  | { type: "put"; table: string; row: PolicyRow }
  | { type: "remove"; table: string; key: PolicyRow };

export interface PolicyState {
  /** The number of the last transaction in it. */
  number: number;
  rows: Map<string, PolicyRow[]>;
}

export interface ReadPolicy extends PolicyState {
  /** How many lines at the end are not believed: the first of them cannot be read, or does not follow the one before it. */
  unreadable: number;
}

type Line = { number: number } & ({ whole: Array<[string, PolicyRow[]]> } | { changes: PolicyChange[] });

/** Undefined where there is no file, or nothing in it that can be believed. */
export function readPolicyFile(
  file: string,
  keysOf: (table: string) => readonly string[],
): ReadPolicy | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const tables = new Map<string, Map<string, PolicyRow>>();
  let number: number | undefined;
  let unreadable = 0;
  for (const raw of text.split("\n")) {
    if (raw === "") continue;
    const line = unreadable > 0 ? undefined : decode(raw);
    if (line && "whole" in line) {
      tables.clear();
      for (const [table, rows] of line.whole) for (const row of rows) put(table, row);
    } else if (line && number !== undefined && line.number === number + 1) {
      for (const change of line.changes) apply(change);
    } else {
      // What follows is not believed: the change that is missing may have taken something away.
      unreadable += 1;
      continue;
    }
    number = line.number;
  }
  if (number === undefined) return undefined;
  const rows = new Map([...tables].map(([table, each]) => [table, [...each.values()]]));
  return { number, rows, unreadable };

  function put(table: string, row: PolicyRow): void {
    const rows = tables.get(table) ?? new Map<string, PolicyRow>();
    rows.set(nameOf(table, row), row);
    tables.set(table, rows);
  }
  function apply(change: PolicyChange): void {
    if (change.type === "put") put(change.table, change.row);
    else tables.get(change.table)?.delete(nameOf(change.table, change.key));
  }
  function nameOf(table: string, row: PolicyRow): string {
    return JSON.stringify(keysOf(table).map((key) => row[key]));
  }
}

/** On the disk when it returns. Answers how long the file is now. */
export function appendChanges(file: string, number: number, changes: readonly PolicyChange[]): number {
  const descriptor = openSync(file, "a+", 0o600);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    const isTorn = size > 0 && last[0] !== 0x0a;
    const text = `${isTorn ? "\n" : ""}${encode({ number, changes: [...changes] })}\n`;
    writeSync(descriptor, text);
    fdatasyncSync(descriptor);
    return size + Buffer.byteLength(text);
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces the file by one line with everything; on the disk when it returns. A crash leaves the one or the other. */
export function writeWhole(file: string, { number, rows }: PolicyState): void {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, "w", 0o600);
  try {
    writeSync(descriptor, `${encode({ number, whole: [...rows] })}\n`);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
  const directory = openSync(dirname(file), "r");
  try {
    fdatasyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

function encode(line: Line): string {
  const text = JSON.stringify(line);
  return `${digestOf(text)} ${text}`;
}

function decode(raw: string): Line | undefined {
  const text = raw.slice(17);
  if (raw[16] !== " " || digestOf(text) !== raw.slice(0, 16)) return undefined;
  return JSON.parse(text) as Line;
}
