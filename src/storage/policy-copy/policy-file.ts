/**
 * A file beside the database that holds rules, people, grants, ways in and credentials a second time. Each line is one transaction with its
 * number and a checksum; a line that a crash cut off, or that is damaged, ends what is believed of the file. Secrets are in it as in the
 * database: encrypted, or as digests.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
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
  /** It ends within a line: a crash cut off what was being written, of which nobody was told. */
  isTorn: boolean;
}

/** `empty`: the file is there, and nothing in it can be believed. `none`: there is no file. */
export type FoundPolicy = ReadPolicy | "empty" | "none";

type Line = { number: number } & ({ whole: Array<[string, PolicyRow[]]> } | { changes: PolicyChange[] });

export function readPolicyFile(file: string, keysOf: (table: string) => readonly string[]): FoundPolicy {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "none";
    throw error;
  }
  const tables = new Map<string, Map<string, PolicyRow>>();
  let number: number | undefined;
  let unreadable = 0;
  const lines = text.split("\n");
  const isTorn = lines.pop() !== "";
  for (const raw of lines) {
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
  if (number === undefined) return "empty";
  const rows = new Map([...tables].map(([table, each]) => [table, [...each.values()]]));
  return { number, rows, unreadable, isTorn };

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

/** The number of the last transaction in it; undefined unless the file is there and all of it can be believed. */
export function wholeNumberOf(file: string): number | undefined {
  const found = readPolicyFile(file, () => []);
  const isWhole = typeof found === "object" && found.unreadable === 0 && !found.isTorn;
  return isWhole ? found.number : undefined;
}

/** On the disk when it returns. */
export function appendChanges(file: string, number: number, changes: readonly PolicyChange[]): void {
  const descriptor = openSync(file, "a", 0o600);
  try {
    // Unlike `writeSync`, it goes on after a disk that took a part, and so hears that there is no room.
    writeFileSync(descriptor, `${encode({ number, changes: [...changes] })}\n`);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What was appended after it had this length is gone; on the disk when it returns. */
export function cutPolicyFile(file: string, length: number): void {
  const descriptor = openSync(file, "r+");
  try {
    ftruncateSync(descriptor, length);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Replaces the file by one line with everything; on the disk when it returns. A crash leaves the one or the other. `before` is where the file
 * that it replaces goes, which is needed to undo this on a disk that has no room.
 */
export function writeWhole(file: string, { number, rows }: PolicyState, before?: string): void {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, "w", 0o600);
  try {
    writeFileSync(descriptor, `${encode({ number, whole: [...rows] })}\n`);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (before !== undefined) keepAs(file, before);
  renameSync(fresh, file);
  syncDirectoryOf(file);
}

/** Under a second name, so that no crash finds it under none. */
function keepAs(file: string, name: string): void {
  rmSync(name, { force: true });
  try {
    linkSync(file, name);
  } catch {
    // Not every file system has links.
    renameSync(file, name);
  }
}

function syncDirectoryOf(file: string): void {
  const directory = openSync(dirname(file), "r");
  try {
    fdatasyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Undoes `writeWhole` with the file that was there before; with none where there was none. */
export function putBack(file: string, before: string | undefined): void {
  if (before === undefined) rmSync(file, { force: true });
  else renameSync(before, file);
  syncDirectoryOf(file);
}

/** Undefined where there is none. */
export function lengthOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
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
