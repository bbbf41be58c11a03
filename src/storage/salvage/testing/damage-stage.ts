/** Damages a full database page by page and counts what is read of it. */
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSchema } from "../../schema/migrations.ts";
import { sqliteDialect } from "../../sqlite/sql-dialect.ts";
import { createTransactions } from "../../sqlite/sqlite-transactions.ts";
import { openPageImage } from "../page-image.ts";
import { readTables } from "../read-tables.ts";
import { makeFullDatabase, type Contents } from "./full-database.ts";

export interface DamageStage {
  whole: Contents;
  pages: number[];
  read(): { contents: Contents; lost: number };
  /** What is read when this page is overwritten, and the most rows that lie on it. */
  damage(page: number, filling: Buffer): { contents: Contents; onPage: number };
  remove(): void;
}

export function createDamageStage(rowsEach: number): DamageStage {
  const directory = mkdtempSync(join(tmpdir(), "pincer-salvage-"));
  const file = join(directory, "whole.db");
  const whole = makeFullDatabase(file, rowsEach);
  const known = new DatabaseSync(":memory:");
  createTransactions({ connection: known, file: ":memory:" }).transact("BEGIN", () =>
    createSchema(sqliteDialect, "2026-01-01T00:00:00.000Z"),
  );
  const places = placesOf(file, countOf(whole));

  return {
    whole,
    pages: [...places.keys()].toSorted((a, b) => a - b),
    read: () => read(file, known),
    damage(page, filling) {
      const path = join(directory, "damaged.db");
      copyFileSync(file, path);
      const descriptor = openSync(path, "r+");
      writeSync(descriptor, filling, 0, filling.length, (page - 1) * filling.length);
      closeSync(descriptor);
      return { contents: read(path, known).contents, onPage: places.get(page) ?? 0 };
    },
    remove() {
      known.close();
      rmSync(directory, { recursive: true });
    },
  };
}

export const countOf = (contents: Contents): number =>
  [...contents.values()].reduce((sum, rows) => sum + rows.length, 0);

/** How many rows SQLite says lie on each page. Where the schema itself is lost, tables of one form cannot be told apart: a tenth. */
function placesOf(file: string, total: number): Map<number, number> {
  const connection = new DatabaseSync(file);
  try {
    const isIndex = "name IN (SELECT name FROM sqlite_schema WHERE type = 'index')";
    return new Map(
      connection
        .prepare(
          `SELECT pageno, CASE WHEN name = 'sqlite_schema' THEN ${Math.ceil(total / 10)} WHEN ${isIndex} THEN 0
            WHEN pagetype = 'overflow' THEN 1 ELSE ncell END AS most FROM dbstat`,
        )
        .all()
        .map(({ pageno, most }) => [Number(pageno), Number(most)]),
    );
  } finally {
    connection.close();
  }
}

/** In the order of the declared columns, so that it can be compared. */
function read(path: string, known: DatabaseSync): { contents: Contents; lost: number } {
  const image = openPageImage(path);
  try {
    const tables = readTables(image, known).filter(({ name }) => name !== "schema_migrations");
    const contents = new Map(
      tables.map(({ name, columns, rows }) => {
        const declared = known.prepare("SELECT name FROM pragma_table_info(?)").all(name);
        const inOrder = (row: (typeof rows)[number]) =>
          declared.map((each) => [each["name"], row[columns.indexOf(String(each["name"]))]]);
        return [name, rows.map((row) => JSON.stringify(Object.fromEntries(inOrder(row))))];
      }),
    );
    return { contents, lost: tables.reduce((sum, { lost }) => sum + lost, 0) };
  } finally {
    image.close();
  }
}
