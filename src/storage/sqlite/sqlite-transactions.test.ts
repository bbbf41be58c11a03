import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { all, change, settled, type Verb } from "./database.ts";
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

function* settledWords(): Verb<string[]> {
  return (yield* settled<{ word: string }>(words)).map(({ word }) => word);
}

function* settledBoth(): Verb<string[]> {
  const found = yield* settledWords();
  return [...found, ...(yield* settled<{ name: string }>(names)).map(({ name }) => name)];
}

describe("a settled read", () => {
  const add = (word: string) =>
    transactions.transact("BEGIN IMMEDIATE", () => change("INSERT INTO words VALUES (?)", [word]));

  it("asks only whether others have written, as long as nobody has", () => {
    const { read } = transactions;
    expect(read(settledBoth)).toEqual(["one", "Ada"]);
    expect(statementsOf(() => expect(read(settledBoth)).toEqual(["one", "Ada"]))).toEqual([
      "PRAGMA data_version",
    ]);
  });

  it("sees what this process has written, and reads again only what that was about", () => {
    const { read } = transactions;
    read(settledBoth);
    add("two");
    const said = statementsOf(() => expect(read(settledBoth)).toEqual(["one", "two", "Ada"]));
    expect(said).toContain(words);
    expect(said).not.toContain(names);
  });

  it("sees what another process has written", () => {
    const { read } = transactions;
    read(settledBoth);
    other.exec("UPDATE names SET name = 'Grace'");
    expect(read(settledBoth)).toEqual(["one", "Grace"]);
    expect(read(settledWords)).toEqual(["one"]);
  });

  it("never mixes what was kept before a commit of others with what is read after it", () => {
    const { read } = transactions;
    read(settledWords);
    // Between the look and the transaction in which the names are read for the first time.
    ran.mockImplementationOnce(function (this: StatementSync, ...parameters) {
      const rows = this.all(...parameters);
      other.exec("BEGIN; UPDATE words SET word = 'new'; UPDATE names SET name = 'new'; COMMIT");
      return rows;
    });
    expect(read(settledBoth)).toEqual(["new", "new"]);
  });

  it("gives what is true when a write was undone", () => {
    const { read, transact } = transactions;
    read(settledWords);
    const failing = () =>
      transact("BEGIN IMMEDIATE", function* () {
        yield* change("INSERT INTO words VALUES ('lost')");
        throw new Error("mine");
      });
    expect(failing).toThrow("mine");
    expect(read(settledWords)).toEqual(["one"]);
  });

  it("looks at the tables themselves within a write", () => {
    const { read, transact } = transactions;
    read(settledWords);
    const seen = transact("BEGIN IMMEDIATE", function* () {
      yield* change("INSERT INTO words VALUES ('two')");
      return yield* settledWords();
    });
    expect(seen).toEqual(["one", "two"]);
  });
});
