/** Verbs as transactions of one SQLite connection: each runs from its first statement to its last without a pause. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Row, Statement, Verb } from "./database.ts";
import { asStorageError } from "./sqlite-errors.ts";

export interface Transactions {
  /** What the verb throws undoes it. Throws PincerError `storage/…` for what the world does to the database. */
  transact<Result>(begin: "BEGIN" | "BEGIN IMMEDIATE", verb: () => Verb<Result>): Result;
  /** A verb that only reads, on one snapshot; it may be begun twice. Throws likewise. */
  read<Result>(verb: () => Verb<Result>): Result;
  /** Rises with every row that the connection has changed. */
  changes(): unknown;
}

type Answer = (statement: Statement) => Row[];

interface Prepared {
  statement: StatementSync;
  columns: readonly string[];
}

/** Told of the end of each transaction that may have changed something. */
export interface CommitWatch {
  /** Within it, when its verb is done. What it throws undoes the transaction. */
  flush(): void;
  committed(): void;
  /** It is undone when this returns, or was already. Must not throw. */
  forget(): void;
}

export function createTransactions({
  connection,
  file,
  watch,
}: {
  connection: DatabaseSync;
  file: string;
  watch?: CommitWatch | undefined;
}): Transactions {
  const statements = new Map<string, Prepared>();
  const changeCount = connection.prepare("SELECT total_changes() AS count");

  function make(sql: string): Prepared {
    const statement = connection.prepare(sql);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    return { statement, columns };
  }

  function run({ sql, parameters, once }: Statement): Row[] {
    let prepared = statements.get(sql);
    if (!prepared) {
      prepared = make(sql);
      if (!once) statements.set(sql, prepared);
    }
    const { statement, columns } = prepared;
    return toRows(statement.all(...parameters) as unknown as SQLOutputValue[][], columns);
  }

  function transact<Result>(
    begin: "BEGIN" | "BEGIN IMMEDIATE",
    verb: () => Verb<Result>,
    answer: Answer = run,
  ): Result {
    try {
      run({ sql: begin, parameters: [] });
      const result = drive(verb(), answer);
      if (begin === "BEGIN IMMEDIATE") watch?.flush();
      run({ sql: "COMMIT", parameters: [] });
      if (begin === "BEGIN IMMEDIATE") watch?.committed();
      return result;
    } catch (error) {
      if (begin === "BEGIN IMMEDIATE") watch?.forget();
      // After some errors SQLite has rolled back by itself.
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw asStorageError(error, file);
    }
  }

  /** Verbs that had more than one statement when they ran last, known by what all runs of one generator function share. */
  const longReads = new WeakSet<object>();

  /** Most reads are one statement, which is a snapshot by itself; a transaction around it would triple their cost. */
  function read<Result>(verb: () => Verb<Result>): Result {
    const work = verb();
    const begun = work.next();
    if (begun.done) return begun.value;
    const kind = Object.getPrototypeOf(work) as object;
    if (!longReads.has(kind)) {
      try {
        const step = work.next(run(begun.value));
        if (step.done) return step.value;
      } catch (error) {
        throw asStorageError(error, file);
      }
      longReads.add(kind);
    }
    let count = 0;
    const result = transact("BEGIN", verb, (statement) => {
      count++;
      return run(statement);
    });
    if (count === 1) longReads.delete(kind);
    return result;
  }

  return {
    transact: (begin, verb) => transact(begin, verb),
    read,
    changes: () => changeCount.get()?.["count"],
  };
}

/**
 * The rows as objects. Node's own are dictionaries, in which everything is looked up by hashing its name; those of one statement made here share
 * their shape, and reading and copying them is several times cheaper.
 */
const toRows = (found: readonly SQLOutputValue[][], columns: readonly string[]): Row[] =>
  found.map((values) => toRow(values, columns));

function toRow(values: readonly SQLOutputValue[], columns: readonly string[]): Row {
  const row: Row = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index];
  return row;
}

function drive<Result>(work: Verb<Result>, answer: Answer): Result {
  let step = work.next();
  while (!step.done) step = work.next(answer(step.value));
  return step.value;
}
