/**
 * Keeps the policy a second time, so that a home that loses its database does not lose what limits it. The order of one change: the rows are
 * changed within the transaction, the copy is written and synced, and only then the transaction commits and is synced itself. So the copy is
 * never behind anything that was acknowledged. After a crash in between it is ahead by that one transaction, which the next opening does again
 * from the copy. Both carry the number of the last change (the database in `user_version`), which says who is ahead.
 */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import {
  appendChanges,
  readPolicyFile,
  writeWhole,
  type PolicyChange,
  type PolicyRow,
  type PolicyState,
} from "./policy-file.ts";

/** What says what may be done, and by whom. When something was last used is no policy. */
export const policyTables: readonly string[] = [
  "standing_rules",
  "rule_counters",
  "owners",
  "allowed_senders",
  "grants",
  "access",
  "passkeys",
  "credentials",
  "credential_orders",
];
const unkept = new Set(["last_used_at", "counter"]);

export interface PolicyKeeper {
  /**
   * Compares both and brings the one behind up to date; from then on every change is kept. Call it once, when the tables are there. Answers
   * what came back from the copy, undefined where the database had everything; `before` is called first, with the same.
   */
  begin(before: (back: PolicyBack) => void): PolicyBack | undefined;
  /** Before a commit: what was changed is in the copy when it returns. Throws what the file system does. */
  flush(): void;
  /** The transaction is in the log. */
  committed(): void;
  /** The transaction was undone: the copy does not have it either. Never throws. */
  forget(): void;
}

export interface PolicyBack {
  /** How many changes the database had lost. */
  changes: number;
  /** Rows by table, as they are now. */
  rows: Record<string, number>;
  /** Lines of the copy that could not be believed: what they changed has not come back. */
  unreadable: number;
}

/** Beyond this the file is written anew when a change comes. */
const longestBytes = 512 * 1024;

export function createPolicyKeeper({
  connection,
  file,
}: {
  connection: DatabaseSync;
  file: string;
}): PolicyKeeper {
  const columns = new Map<string, Array<{ name: string; isKey: boolean }>>();
  let changes: PolicyChange[] = [];
  /** The copy has a change whose transaction has not committed. */
  let isAhead = false;

  const keysOf = (table: string) =>
    (columns.get(table) ?? []).filter(({ isKey }) => isKey).map(({ name }) => name);
  const numberNow = () => Number(connection.prepare("PRAGMA user_version").get()?.["user_version"]);

  function learnTables(): void {
    for (const table of policyTables) {
      const found = connection.prepare("SELECT name, pk FROM pragma_table_info(?)").all(table);
      columns.set(
        table,
        found.map(({ name, pk }) => ({ name: String(name), isKey: Number(pk) > 0 })),
      );
    }
  }

  function readWhole(number: number): PolicyState {
    const rows = policyTables.map((table): [string, PolicyRow[]] => [
      table,
      connection.prepare(`SELECT * FROM ${table}`).all() as PolicyRow[],
    ]);
    return { number, rows: new Map(rows) };
  }

  function bringBack(copy: PolicyState): void {
    connection.exec("BEGIN IMMEDIATE");
    try {
      for (const table of policyTables) {
        connection.exec(`DELETE FROM ${table}`);
        for (const row of copy.rows.get(table) ?? []) {
          const names = Object.keys(row).filter((name) =>
            columns.get(table)?.some((column) => column.name === name),
          );
          const marks = names.map(() => "?").join(", ");
          const values = names.map((name) => row[name] ?? null);
          connection
            .prepare(`INSERT OR REPLACE INTO ${table} (${names.join(", ")}) VALUES (${marks})`)
            .run(...values);
        }
      }
      connection.exec(`PRAGMA user_version = ${copy.number}`);
      connection.exec("COMMIT");
    } catch (error) {
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw error;
    }
  }

  /** The triggers belong to this connection alone. */
  function watch(): void {
    connection.function("pincer_kept", (type, table, row) => {
      const values = JSON.parse(String(row)) as PolicyRow;
      const name = String(table);
      changes.push(
        type === "put"
          ? { type: "put", table: name, row: values }
          : { type: "remove", table: name, key: values },
      );
      return null;
    });
    for (const [table, all] of columns) {
      const object = (of: "NEW" | "OLD", isIn: (column: { isKey: boolean }) => boolean) =>
        `json_object(${all
          .filter(isIn)
          .map(({ name }) => `'${name}', ${of}.${name}`)
          .join(", ")})`;
      const watched = all.filter(({ name }) => !unkept.has(name)).map(({ name }) => name);
      const put = `SELECT pincer_kept('put', '${table}', ${object("NEW", () => true)});`;
      const remove = `SELECT pincer_kept('remove', '${table}', ${object("OLD", ({ isKey }) => isKey)});`;
      connection.exec(`
        CREATE TEMP TRIGGER kept_${table}_new AFTER INSERT ON main.${table} BEGIN ${put} END;
        CREATE TEMP TRIGGER kept_${table}_old AFTER DELETE ON main.${table} BEGIN ${remove} END;
        CREATE TEMP TRIGGER kept_${table}_set AFTER UPDATE OF ${watched.join(", ")} ON main.${table} BEGIN ${remove} ${put} END;
      `);
    }
  }

  return {
    begin(before) {
      learnTables();
      const number = numberNow();
      const copy = readPolicyFile(file, keysOf);
      let back: PolicyBack | undefined;
      if (copy && copy.number > number) {
        back = { changes: copy.number - number, rows: countRows(copy), unreadable: copy.unreadable };
        before(back);
        bringBack(copy);
        if (copy.unreadable > 0) writeWhole(file, readWhole(copy.number));
      } else {
        const present = readWhole(number);
        const isEmpty = [...present.rows.values()].every((rows) => rows.length === 0);
        const isSame =
          copy?.number === number && copy.unreadable === 0 && digestible(copy) === digestible(present);
        if (!isSame && (copy || !isEmpty)) writeWhole(file, present);
      }
      watch();
      return back;
    },
    flush() {
      if (changes.length === 0) return;
      const number = numberNow() + 1;
      connection.exec(`PRAGMA user_version = ${number}`);
      isAhead = true;
      if (!existsSync(file)) writeWhole(file, readWhole(number));
      else if (appendChanges(file, number, changes) > longestBytes) writeWhole(file, readWhole(number));
      changes = [];
    },
    committed() {
      isAhead = false;
    },
    forget() {
      changes = [];
      if (!isAhead) return;
      isAhead = false;
      try {
        writeWhole(file, readWhole(numberNow()));
      } catch {
        // The same disk has just refused the transaction. The next opening does the change again, from the copy.
      }
    },
  };
}

const countRows = ({ rows }: PolicyState): Record<string, number> =>
  Object.fromEntries([...rows].map(([table, all]) => [table, all.length]));

/** For comparing two states: in any order, without what is no policy. */
function digestible({ rows }: PolicyState): string {
  const kept = ([name, value]: [string, unknown]) => (unkept.has(name) ? [name, null] : [name, value]);
  const texts = policyTables.map((table) =>
    (rows.get(table) ?? []).map((row) => JSON.stringify(Object.entries(row).map(kept).toSorted())).toSorted(),
  );
  return JSON.stringify(texts);
}
