/**
 * The schema, as numbered steps that are only ever added to. A step that has been released is never
 * edited: databases out there have taken it.
 */
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { change, first, type Database, type Verb } from "../sqlite/database.ts";
import { approvalSchema } from "./approval-schema.ts";
import { cardSchema } from "./card-schema.ts";
import { chainOldRows } from "../audit/audit-chain.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { contextSchema } from "./context-schema.ts";
import { firstSchema } from "./first-schema.ts";
import { gateStateSchema, noteUnrecorded } from "./gate-state-schema.ts";
import { gatewaySchema } from "./gateway-schema.ts";
import { askedColumns, messageSchema } from "./message-schema.ts";
import { modelSchema } from "./model-schema.ts";
import { passkeySchema } from "./passkey-schema.ts";
import { settingSchema } from "./setting-schema.ts";
import type { SqlDialect } from "../sqlite/sql-dialect.ts";
import { uncountOpen } from "../usage/usage-open.ts";

interface Migration {
  version: number;
  name: string;
  statements(dialect: SqlDialect): string[];
  /** What the statements alone cannot do, in the same transaction. */
  finish?(seal: AuditSeal | undefined, appliedAt: string): Verb<void>;
}

const migrations: readonly Migration[] = [
  { version: 1, name: "directory, sessions, entries, leases, audit", statements: firstSchema },
  { version: 2, name: "inbox, turns, journal, outbox, pairing, notices", statements: messageSchema },
  { version: 3, name: "credentials, usage", statements: modelSchema },
  { version: 4, name: "marks, standing rules", statements: contextSchema },
  {
    version: 5,
    name: "approvals, grants, settings of sessions",
    statements: (dialect) => [...approvalSchema(dialect), ...settingSchema()],
  },
  { version: 6, name: "ways in, audit chain", statements: gatewaySchema, finish: chainOldRows },
  { version: 7, name: "passkeys", statements: passkeySchema },
  { version: 8, name: "totals of what has ended", statements: () => [], finish: uncountOpen },
  { version: 9, name: "questions of those who wait, in the inbox", statements: askedColumns },
  {
    version: 10,
    name: "labels of files, programs, plans, accepted files",
    statements: gateStateSchema,
    finish: (_, appliedAt) => noteUnrecorded(appliedAt),
  },
  { version: 11, name: "cards, reasons as codes, grants for a time", statements: cardSchema },
];

/** From this version on, the audit log is a sealed chain. */
export const chainedSince = 6;

/** The version that this code reads and writes. */
export const newestVersion = migrations.length;

/**
 * Brings the schema up to date, one transaction per step. Safe to run from many processes at once: each
 * step looks again, inside its transaction, whether another was faster. Throws `storage/too-new` when the
 * database was written by a newer Pincer; nothing is changed then.
 */
export async function migrate(parts: {
  database: Database;
  dialect: SqlDialect;
  clock: Clock;
  /** Zero for an empty database. */
  currentVersion: number;
  /** For what is sealed on the way. */
  seal?: AuditSeal | undefined;
}): Promise<void> {
  const { database, dialect, clock, currentVersion, seal } = parts;
  refuseNewer(currentVersion);
  for (const migration of migrations) {
    if (migration.version <= currentVersion) continue;
    await database.write(() => takeStep(migration, dialect, timestamp(clock), seal), { sync: "now" });
  }
}

/** The whole schema for an empty database, within the caller's transaction. */
export function* createSchema(dialect: SqlDialect, appliedAt: string): Verb<void> {
  for (const migration of migrations) yield* takeStep(migration, dialect, appliedAt);
}

/** Throws `storage/too-new` for a schema that this code does not know. */
export function refuseNewer(version: number, thing: "database" | "copy" = "database"): void {
  if (version <= newestVersion) return;
  const versions = { version, newest: newestVersion };
  throw thing === "copy"
    ? failure("storage/too-new", "failure.copy-too-new", versions, { hint: "failure.copy-too-new.hint" })
    : failure("storage/too-new", "failure.database-too-new", versions, {
        hint: "failure.database-too-new.hint",
      });
}

function* takeStep(
  migration: Migration,
  dialect: SqlDialect,
  appliedAt: string,
  seal?: AuditSeal,
): Verb<void> {
  yield {
    sql: `CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)`,
    parameters: [],
    once: true,
  };
  const row = yield* first<{ version: number }>(
    "SELECT coalesce(max(version), 0) AS version FROM schema_migrations",
  );
  const version = row?.version ?? 0;
  refuseNewer(version);
  if (version >= migration.version) return;
  for (const sql of migration.statements(dialect)) yield { sql, parameters: [], once: true };
  if (migration.finish) yield* migration.finish(seal, appliedAt);
  yield* change("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)", [
    migration.version,
    migration.name,
    appliedAt,
  ]);
}
