/**
 * A new database of everything that can still be read of a damaged one. The damaged one is only read. Indexes are made anew; what refers to
 * something lost is completed where the rest of the database knows enough, and left out otherwise.
 */
import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { syncFile } from "../../infra/sync-to-disk.ts";
import { createSchema } from "../schema/migrations.ts";
import { findLostLog } from "../sqlite/lost-log.ts";
import { sqliteDialect } from "../sqlite/sql-dialect.ts";
import { pageSize } from "../sqlite/sqlite-connection.ts";
import { asStorageError } from "../sqlite/sqlite-errors.ts";
import { createEmptyFile, removeDatabaseFiles } from "../sqlite/sqlite-files.ts";
import { createTransactions } from "../sqlite/sqlite-transactions.ts";
import { mendAuditHeads } from "../audit/mend-audit-heads.ts";
import { policyTables } from "../policy-copy/keep-policy.ts";
import { openPageImage } from "./page-image.ts";
import { readTables, type SalvagedTable } from "./read-tables.ts";

export interface Salvage {
  /** Tables that have rows or damage. `lost` counts rows that are known to be gone; where `isTorn`, there may be more. */
  tables: Array<{ name: string; kept: number; lost: number; isTorn: boolean }>;
  /** Nothing at all can be read. */
  isEmpty: boolean;
}

/** What can be kept of it. Reads only. This process must have closed the database. Throws PincerError `storage/…`. */
export function surveyDatabase(file: string, clock: Clock): Salvage {
  return describe(read(file, clock));
}

/** Writes what can be kept to `into`, complete and synced when it resolves; nothing is left there when it throws. */
export async function salvageDatabase(request: {
  file: string;
  into: string;
  clock: Clock;
}): Promise<Salvage> {
  const { file, into, clock } = request;
  const tables = read(file, clock);
  removeDatabaseFiles(into);
  try {
    createEmptyFile(into);
    const connection = new DatabaseSync(into, { enableForeignKeyConstraints: false });
    try {
      connection.exec(
        `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON`,
      );
      makeTables(connection, into, clock);
      connection.exec("BEGIN");
      for (const table of tables) fill(connection, table);
      for (const sql of mend) connection.exec(sql);
      // Where some of the policy is lost or may be older than its number says, its copy counts.
      const isWhole =
        findLostLog(file) === undefined &&
        tables.every(({ name, damage, lost }) => damage + lost === 0 || !policyTables.includes(name));
      connection.exec(`PRAGMA user_version = ${isWhole ? policyNumber(file) : 0}`);
      connection.exec("COMMIT");
    } finally {
      connection.close();
    }
    await syncFile(into);
  } catch (error) {
    rmSync(into, { force: true });
    throw asStorageError(error, into);
  }
  return describe(tables);
}

function read(file: string, clock: Clock): SalvagedTable[] {
  if (!existsSync(file)) return [];
  const known = new DatabaseSync(":memory:");
  const image = openPageImage(file);
  try {
    makeTables(known, ":memory:", clock);
    return readTables(image, known).filter(({ name }) => name !== "schema_migrations");
  } catch (error) {
    throw asStorageError(error, file);
  } finally {
    image.close();
    known.close();
  }
}

const makeTables = (connection: DatabaseSync, file: string, clock: Clock): void =>
  createTransactions({ connection, file }).transact("BEGIN", () =>
    createSchema(sqliteDialect, timestamp(clock)),
  );

/** Twice the same row is one: a page may have been read in two ways. */
function fill(connection: DatabaseSync, { name, columns, rows }: SalvagedTable): void {
  for (const row of rows) {
    const names = columns.slice(0, row.length);
    const marks = names.map(() => "?").join(", ");
    connection.prepare(`INSERT OR IGNORE INTO ${name} (${names.join(", ")}) VALUES (${marks})`).run(...row);
  }
}

/** Which change of the policy was the last. Where the page is damaged that says it: none, and the copy beside the database counts. */
function policyNumber(file: string): number {
  const image = openPageImage(file);
  try {
    const first = image.page(1);
    return first?.subarray(0, 16).toString("latin1") === "SQLite format 3\0" ? first.readUInt32BE(60) : 0;
  } finally {
    image.close();
  }
}

const describe = (tables: readonly SalvagedTable[]): Salvage => ({
  tables: tables
    .filter(({ rows, lost, damage }) => rows.length + lost + damage > 0)
    .map(({ name, rows, lost, damage }) => ({ name, kept: rows.length, lost, isTorn: damage > 0 })),
  isEmpty: tables.every(({ rows }) => rows.length === 0),
});

/** A session whose row is lost is known by its turns; entries of one that nobody knows are in its transcript, which brings it back. */
const mend = [
  `INSERT OR IGNORE INTO tenants (id, name, plan) SELECT DISTINCT tenant_id, 'default', 'personal' FROM sessions
    UNION SELECT DISTINCT tenant_id, 'default', 'personal' FROM workspaces
    UNION SELECT DISTINCT tenant_id, 'default', 'personal' FROM agents`,
  `INSERT OR IGNORE INTO workspaces (id, tenant_id, name) SELECT DISTINCT workspace_id, tenant_id, 'default' FROM agents`,
  `INSERT OR IGNORE INTO sessions (id, tenant_id, workspace_id, agent_id, session_key, channel, origin_json, state,
      last_seq, entry_count, message_count, created_at, updated_at)
    SELECT turns.session_id, turns.tenant_id, turns.workspace_id, turns.agent_id, turns.session_key,
      coalesce(turns.origin_json ->> 'channel', 'cli'), turns.origin_json,
      CASE WHEN EXISTS (SELECT 1 FROM sessions AS other WHERE other.tenant_id = turns.tenant_id
        AND other.workspace_id = turns.workspace_id AND other.session_key = turns.session_key AND other.state = 'active')
        THEN 'ended' ELSE 'active' END,
      held.last, held.count, held.messages, held.begun, held.ended
    FROM turns JOIN (
      SELECT tenant_id, session_id, max(seq) AS last, count(*) AS count, sum(type = 'message') AS messages,
        min(time) AS begun, max(time) AS ended FROM entries GROUP BY tenant_id, session_id
    ) AS held ON held.tenant_id = turns.tenant_id AND held.session_id = turns.session_id
    WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.tenant_id = turns.tenant_id AND sessions.id = turns.session_id)
    GROUP BY turns.tenant_id, turns.session_id`,
  `DELETE FROM session_marks WHERE NOT EXISTS (SELECT 1 FROM sessions
    WHERE sessions.tenant_id = session_marks.tenant_id AND sessions.id = session_marks.session_id)
    OR NOT EXISTS (SELECT 1 FROM entries WHERE entries.tenant_id = session_marks.tenant_id
      AND entries.session_id = session_marks.session_id AND entries.seq = session_marks.seq)`,
  `DELETE FROM entries WHERE NOT EXISTS (SELECT 1 FROM sessions
    WHERE sessions.tenant_id = entries.tenant_id AND sessions.id = entries.session_id)`,
  // A message whose turn is lost, and that nobody is seen to have answered, is new again.
  `UPDATE inbox SET state = 'new', turn_id = NULL, taken = 0 WHERE state = 'queued' AND turn_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.tenant_id = inbox.tenant_id AND turns.id = inbox.turn_id)
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.tenant_id = inbox.tenant_id AND outbox.turn_id = inbox.turn_id)
    AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.tenant_id = inbox.tenant_id AND entries.run_id = inbox.turn_id
      AND entries.role = 'assistant')`,
  ...mendAuditHeads,
  // No id is given twice.
  `INSERT INTO rule_counters (tenant_id, last_id, version) SELECT tenant_id, max(id), 1 FROM standing_rules
    WHERE tenant_id NOT IN (SELECT tenant_id FROM rule_counters) GROUP BY tenant_id`,
];
