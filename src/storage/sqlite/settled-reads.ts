/**
 * Caches rows of tables that seldom change, until they are written: every turn reads credentials and their order. It
 * caches rows, not results, so that no caller can change another's. Own writes are recognised by their SQL, those of
 * other processes by `PRAGMA data_version`.
 */
import { distinctKey } from "../../infra/distinct-key.ts";
import type { Row, Statement } from "./database.ts";

export interface SettledReads {
  /** The rows of an earlier run; undefined when they have to be read. */
  find(statement: Statement): Row[] | undefined;
  keep(statement: Statement, rows: Row[]): void;
  /** This connection writes to the table, or to an unknown one. */
  forget(table: string): void;
  /** Told of the number of other processes' commits before anything is found. */
  at(version: unknown): void;
}

/** Beyond that everything is forgotten: there are as many as there are agents. */
const mostKept = 200;

/** For a statement that changes something, and does not say plainly what. */
export const anyTable = "*";

/** What was read with one text, by its parameters. */
interface KeptReads {
  tables: ReadonlySet<string>;
  rows: Map<string, Row[]>;
}

export function createSettledReads(): SettledReads {
  const kept = new Map<string, KeptReads>();
  let count = 0;
  let known: unknown;

  function clear(): void {
    kept.clear();
    count = 0;
  }

  return {
    find: ({ sql, parameters }) => kept.get(sql)?.rows.get(distinctKey(parameters)),
    keep({ sql, parameters }, rows) {
      if (count >= mostKept) clear();
      const reads = kept.get(sql) ?? { tables: tablesReadBy(sql), rows: new Map() };
      kept.set(sql, reads);
      count -= reads.rows.size;
      reads.rows.set(distinctKey(parameters), rows);
      count += reads.rows.size;
    },
    forget(table) {
      for (const [sql, { tables, rows }] of kept) {
        if (table !== anyTable && !tables.has(table)) continue;
        kept.delete(sql);
        count -= rows.size;
      }
    },
    at(version) {
      if (version !== known) clear();
      known = version;
    },
  };
}

const tablesReadBy = (sql: string): ReadonlySet<string> =>
  new Set([...sql.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].flatMap(([, table]) => table ?? []));

/** Undefined for what only reads, and for the frame of a transaction. */
export function tableWrittenBy(sql: string): string | undefined {
  if (/^\s*(?:SELECT|PRAGMA|BEGIN|COMMIT)\b/i.test(sql)) return undefined;
  return /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i.exec(sql)?.[1] ?? anyTable;
}
