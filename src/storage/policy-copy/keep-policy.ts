/**
 * Keeps the policy a second time, so that a home that loses its database does not lose what limits it. The order of one change: the rows are
 * changed within the transaction, the copy is written and synced, and only then the transaction commits and is synced itself. So the copy is
 * never behind anything that was acknowledged. After a crash in between it is ahead by that one transaction, which the next opening does again
 * from the copy. Both carry the number of the last change (the database in `user_version`), which says who is ahead.
 */
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { damageFound } from "../sqlite/sqlite-errors.ts";
import {
  appendChanges,
  cutPolicyFile,
  lengthOf,
  putBack,
  readPolicyFile,
  wholeNumberOf,
  writeWhole,
  type PolicyChange,
  type PolicyRow,
  type PolicyState,
  type ReadPolicy,
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
  "gate_accepted",
];
const unkept = new Set(["last_used_at", "counter"]);

export interface PolicyKeeper {
  /**
   * Compares both and brings the one behind up to date; from then on every change is kept. Call it once, when the tables are there. Answers
   * what came back from the copy, undefined where the database had everything and the copy could be read; `before` is called first, with the
   * same. `isTorn`: the database has lost its log, perhaps in the middle of a checkpoint: its number may be newer than its rows. Throws
   * `storage/corrupt` where it finds damage.
   */
  begin(before: (back: PolicyBack) => void, how?: { isTorn: boolean }): PolicyBack | undefined;
  /** Before a commit: what was changed is in the copy when it returns. Throws what the file system does. */
  flush(): void;
  /** The transaction is in the log. */
  committed(): void;
  /** The transaction is being undone: the copy does not have it either. Never throws. */
  forget(): void;
}

export interface PolicyBack {
  /** How many changes the database had lost. */
  changes: number;
  /** Rows by table, as they are now. */
  rows: Record<string, number>;
  /** Lines of the copy that could not be believed: what they changed has not come back. One for a copy that is gone. */
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
  /** The copy has a change whose transaction has not committed: it takes that away again. */
  let undo: (() => void) | undefined;
  const before = `${file}.before`;

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
  }

  /** Others may be changing both: whoever holds the database's write lock sees the two of the same moment. */
  function locked<Result>(work: () => Result): Result {
    connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      connection.exec("COMMIT");
      return result;
    } catch (error) {
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw error;
    }
  }

  function compare(tell: (back: PolicyBack) => void, isTorn: boolean): PolicyBack | undefined {
    const number = numberNow();
    const found = readPolicyFile(file, keysOf);
    const copy = typeof found === "object" ? found : undefined;
    const isBehind =
      copy && (copy.number > number || (copy.number === number && isWorse(copy, number, isTorn)));
    if (isBehind) {
      const back = {
        changes: copy.number - number,
        rows: countRows(copy),
        unreadable: doubtful(copy, number),
      };
      tell(back);
      bringBack(copy);
      const aside = copy.unreadable > 0 ? `${file}.damaged` : undefined;
      if (aside !== undefined || copy.isTorn) writeWhole(file, readWhole(copy.number), aside);
      return back;
    }
    const present = readWhole(number);
    // The database may be of the time before the lines that are damaged.
    const isGone = found === "none" && number > 0;
    const unreadable = found === "empty" || isGone ? 1 : (copy?.unreadable ?? 0);
    const back = { changes: 0, rows: countRows(present), unreadable };
    if (unreadable > 0) tell(back);
    const isEmpty = [...present.rows.values()].every((rows) => rows.length === 0);
    const isSame =
      copy?.number === number && unreadable === 0 && !copy.isTorn && digestible(copy) === digestible(present);
    const isToWrite = !isSame && (found !== "none" || !isEmpty);
    if (isToWrite) tryToWrite(present, unreadable > 0 && !isGone ? `${file}.damaged` : undefined);
    return unreadable > 0 ? back : undefined;
  }

  /** Of a database and a copy with the same number: whether its rows are worth less than those of the copy. */
  function isWorse(copy: ReadPolicy, number: number, isTorn: boolean): boolean {
    if (copy.unreadable > 0 || digestible(copy) === digestible(readWhole(number))) return false;
    if (isTorn) return true;
    // An older Pincer has changed them, unless they are damaged: what limits the assistant is not replaced by noise.
    for (const table of policyTables) {
      const found = connection.prepare(`PRAGMA quick_check(${table})`).all();
      const integrity = found.map((row) => String(row["quick_check"]));
      const [damage] = damageFound({ integrity, orphans: [] });
      if (damage) throw damage;
    }
    return false;
  }

  /** On a disk without room the home opens all the same; no change is made before the copy is whole again. */
  function tryToWrite(present: PolicyState, aside: string | undefined): void {
    // A database that is lost begins again at 0, and its copy has to be ahead of that.
    const number = Math.max(1, present.number);
    try {
      writeWhole(file, { ...present, number }, aside);
    } catch {
      // The next change writes it anew, or is refused.
      return;
    }
    if (number !== present.number) connection.exec(`PRAGMA user_version = ${number}`);
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
    begin(tell, { isTorn } = { isTorn: false }) {
      learnTables();
      const back = locked(() => compare(tell, isTorn));
      watch();
      return back;
    },
    flush() {
      if (changes.length === 0) return;
      const number = numberNow() + 1;
      connection.exec(`PRAGMA user_version = ${number}`);
      const length = lengthOf(file);
      const isShort = length !== undefined && length <= longestBytes;
      if (isShort && wholeNumberOf(file) === number - 1) {
        undo = () => cutPolicyFile(file, length);
        appendChanges(file, number, changes);
      } else {
        // It is not there, too long, damaged, or another one: what counts is the database, which is locked.
        const old = length === undefined ? undefined : before;
        undo = () => putBack(file, old);
        writeWhole(file, readWhole(number), old);
      }
      changes = [];
    },
    committed() {
      if (!undo) return;
      undo = undefined;
      rmSync(before, { force: true });
    },
    forget() {
      changes = [];
      if (!undo) return;
      const work = undo;
      undo = undefined;
      const written = lengthOf(file);
      try {
        if (connection.isTransaction) work();
        // SQLite has undone it by itself and unlocked the database.
        else locked(() => (lengthOf(file) === written ? work() : undefined));
      } catch {
        // A disk that does not even give room back. The next opening does the change, or the next change writes the copy anew.
      }
    },
  };
}

/** How many lines of a copy that is ahead hide what they changed. One that a crash cut off was told to nobody, unless more is amiss. */
const doubtful = ({ number, unreadable, isTorn }: ReadPolicy, inDatabase: number): number =>
  unreadable + (isTorn && (inDatabase === 0 || number - inDatabase > 1) ? 1 : 0);

/** For a database that is an older one on purpose: that it has no copy is no loss. */
export function forgetPolicyCopy(database: string): void {
  const connection = new DatabaseSync(database);
  try {
    connection.exec("PRAGMA user_version = 0");
  } finally {
    connection.close();
  }
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
