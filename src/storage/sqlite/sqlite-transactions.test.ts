import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { all, type Verb } from "./database.ts";
import { createTransactions, type Transactions } from "./sqlite-transactions.ts";

let directory: string;
let connection: DatabaseSync;
/** Another process, as far as SQLite is concerned. */
let other: DatabaseSync;
let transactions: Transactions;
const ran = vi.spyOn(StatementSync.prototype, "all");

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-transactions-"));
  const file = join(directory, "core.db");
  connection = new DatabaseSync(file);
  connection.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT); CREATE TABLE names (name TEXT)",
  );
  connection.exec("INSERT INTO words VALUES ('one'); INSERT INTO names VALUES ('Ada')");
  other = new DatabaseSync(file);
  transactions = createTransactions({ connection, file });
});
afterEach(() => {
  connection.close();
  other.close();
  rmSync(directory, { recursive: true });
});

/** What the work has the database run. */
function statementsOf(work: () => unknown): string[] {
  ran.mockClear();
  work();
  return (ran.mock.contexts as StatementSync[]).map(({ sourceSQL }) => sourceSQL);
}

const words = "SELECT word FROM words ORDER BY word";
const names = "SELECT name FROM names ORDER BY name";

function* short(): Verb<unknown[]> {
  return (yield* all<{ word: string }>(words)).map(({ word }) => word);
}

function* long(isLong = true): Verb<unknown[]> {
  const found = yield* short();
  return isLong ? [...found, ...(yield* all<{ name: string }>(names)).map(({ name }) => name)] : found;
}

describe("a read", () => {
  it("takes a transaction for more than one statement, and for one of its own kind alone", () => {
    const { read } = transactions;
    expect(read(() => long())).toEqual(["one", "Ada"]);
    expect(statementsOf(() => read(() => long()))).toEqual(["BEGIN", words, names, "COMMIT"]);
    // It begins with the same words, and is another verb.
    expect(statementsOf(() => read(short))).toEqual([words]);
  });

  it("is taken for what it was last time", () => {
    const { read } = transactions;
    read(() => long());
    expect(statementsOf(() => read(() => long(false)))).toEqual(["BEGIN", words, "COMMIT"]);
    expect(statementsOf(() => read(() => long(false)))).toEqual([words]);
    // Wrong once: it begins again, on one snapshot.
    expect(statementsOf(() => read(() => long()))).toEqual([words, "BEGIN", words, names, "COMMIT"]);
  });
});
