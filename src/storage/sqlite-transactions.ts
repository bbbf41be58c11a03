/** Verbs as transactions of one SQLite connection: each runs from its first statement to its last without a pause. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
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

export function createTransactions({
  connection,
  file,
}: {
  connection: DatabaseSync;
  file: string;
}): Transactions {
  const statements = new Map<string, StatementSync>();
  const changeCount = connection.prepare("SELECT total_changes() AS count");

  function run({ sql, parameters, once }: Statement): Row[] {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      if (!once) statements.set(sql, statement);
    }
    return statement.all(...parameters);
  }

  function transact<Result>(begin: "BEGIN" | "BEGIN IMMEDIATE", verb: () => Verb<Result>): Result {
    try {
      run({ sql: begin, parameters: [] });
      const work = verb();
      let step = work.next();
      while (!step.done) step = work.next(run(step.value));
      run({ sql: "COMMIT", parameters: [] });
      return step.value;
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw asStorageError(error, file);
    }
  }

  /** The first statements of reads that have more of them. */
  const longReads = new Set<string>();

  /** Most reads are one statement, which is a snapshot by itself; a transaction around it would triple their cost. */
  function read<Result>(verb: () => Verb<Result>): Result {
    const work = verb();
    const begun = work.next();
    if (begun.done) return begun.value;
    const { sql } = begun.value;
    if (!longReads.has(sql)) {
      try {
        const step = work.next(run(begun.value));
        if (step.done) return step.value;
      } catch (error) {
        throw asStorageError(error, file);
      }
      longReads.add(sql);
    }
    return transact("BEGIN", verb);
  }

  return {
    transact,
    read,
    changes: () => changeCount.get()?.["count"],
  };
}
