/** A database with rows in every table, some of them long, so that every kind of page occurs. */
import { DatabaseSync } from "node:sqlite";
import { createHandClock } from "@pincer/sdk/testing";
import { createSchema } from "../../schema/migrations.ts";
import { sqliteDialect } from "../../sqlite/sql-dialect.ts";
import { createTransactions } from "../../sqlite/sqlite-transactions.ts";

/** Rows by table, as SQLite reads them, each as one text. */
export type Contents = Map<string, string[]>;

export function makeFullDatabase(file: string, rowsEach: number): Contents {
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    connection.exec("PRAGMA secure_delete = ON");
    createTransactions({ connection, file }).transact("BEGIN", () =>
      createSchema(sqliteDialect, new Date(createHandClock().now()).toISOString()),
    );
    connection.exec("BEGIN");
    for (const table of tablesOf(connection)) {
      for (let row = 0; row < rowsEach; row++) insert(connection, table, row);
    }
    connection.exec("COMMIT");
    return contentsOf(connection);
  } finally {
    connection.close();
  }
}

const tablesOf = (connection: DatabaseSync): string[] =>
  connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== "schema_migrations");

const contentsOf = (connection: DatabaseSync): Contents =>
  new Map(
    tablesOf(connection).map((table) => [
      table,
      connection
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => JSON.stringify(row)),
    ]),
  );

/** Everything belongs to the same few sessions and turns, so that nothing refers to nothing. */
function insert(connection: DatabaseSync, table: string, row: number): void {
  const columns = connection.prepare("SELECT name, type, pk FROM pragma_table_info(?)").all(table);
  const many = columns.filter(({ pk }) => Number(pk) > 0).length > 1;
  const values = columns.map(({ name, type, pk }) => {
    const column = String(name);
    if (column === "tenant_id" && many) return "t1";
    if (column === "workspace_id") return table === "workspaces" ? `${row}` : "w";
    if (column === "state" && table === "sessions") return "ended";
    if (column.endsWith("_json")) return JSON.stringify({ row, words: "x".repeat((row * 397) % 6000) });
    if (type !== "TEXT") return row + 1;
    const isKey = Number(pk) > 0 || /id$|key$|code|digest|subject/.test(column);
    return isKey ? `${column}-${String((row * 7919) % 10_000).padStart(5, "0")}` : `${column} ${row % 3}`;
  });
  const marks = columns.map(() => "?").join(", ");
  connection.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${marks})`).run(...values);
}
