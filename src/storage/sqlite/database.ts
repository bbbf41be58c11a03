/**
 * How the stores speak to a database. A verb is a generator that yields SQL statements and is handed
 * their rows; it neither knows nor cares whether they come at once (SQLite, on this thread) or over a
 * wire. So each verb and its SQL are written once. The SQL is the subset that SQLite and Postgres share:
 * `?` for parameters, `->>` for JSON, ON CONFLICT, RETURNING; `sql-dialect.ts` holds what differs.
 */
export type SqlValue = string | number | null;

export interface Statement {
  sql: string;
  parameters: readonly SqlValue[];
  /** Not worth keeping prepared. */
  once?: true;
}

export type Row = Record<string, unknown>;

export type Verb<Result> = Generator<Statement, Result, Row[]>;

export interface WriteOptions<Result> {
  /** As a function: decided by what the verb came to. */
  sync: "now" | "later" | "along" | "always" | ((result: Result) => "later" | "always");
  /** Reads first, without the write lock: if it finds an answer, that is the answer and nothing is written. */
  unless?: () => Verb<Result | undefined>;
}

export interface Database {
  /** Runs a verb that only reads, on one consistent snapshot. */
  read<Result>(verb: () => Verb<Result>): Promise<Result>;
  /**
   * Runs a verb as one transaction: what it throws undoes it. `now` resolves when the changes are on the
   * disk, `later` when they are committed: the next sync takes them along. `along` asks for no transaction of
   * its own: it joins the next one, or is written after a short while, and what is read until then does not show
   * it; nobody should wait for it. A verb that changed nothing waits for nothing; with `always` it waits, and
   * what it has read is on the disk, too. After a failed
   * sync every write throws PincerError `storage/failed`. `verb` may be called again when its transaction
   * met another's, or shared one with a verb that threw, and was undone.
   */
  write<Result>(verb: () => Verb<Result>, options: WriteOptions<Result>): Promise<Result>;
  /** After a deletion: leaves no copy of deleted rows beside the database, as far as its other users allow. */
  forgetDeleted(): Promise<void>;
}

/**
 * The end of a statement with a limit of rows. SQLite plans a statement anew with every run whose limit is a bare parameter,
 * to look at its value first; in a sum it does not look for one.
 */
export const atMost = "LIMIT ? + 0";

/** All rows of a statement, also of one that changes rows and is RETURNING them. */
export function* all<Result extends object>(
  sql: string,
  parameters: readonly SqlValue[] = [],
): Verb<Result[]> {
  return (yield { sql, parameters }) as Result[];
}

/** The first row, if any. */
export function* first<Result extends object>(
  sql: string,
  parameters: readonly SqlValue[] = [],
): Verb<Result | undefined> {
  return (yield { sql, parameters })[0] as Result | undefined;
}

/** For its effect alone. */
export function* change(sql: string, parameters: readonly SqlValue[] = []): Verb<void> {
  yield { sql, parameters };
}
