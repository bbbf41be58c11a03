/** The stores of a personal install: one SQLite file. */
import type { Ids } from "../infra/ids.ts";
import type { AuditSeal } from "./audit/audit-seal.ts";
import { mendAuditHeads } from "./audit/mend-audit-heads.ts";
import { chainedSince, migrate } from "./schema/migrations.ts";
import { sqliteDialect } from "./sqlite/sql-dialect.ts";
import { backupSqlite } from "./sqlite/sqlite-backup.ts";
import { change, type Verb } from "./sqlite/database.ts";
import { openSqliteDatabase, type SqliteDatabaseParts } from "./sqlite/sqlite-database.ts";
import { checkHealth, schemaVersionOf } from "./sqlite/sqlite-health.ts";
import type { PolicyBack } from "./policy-copy/keep-policy.ts";
import type { LostLog } from "./sqlite/lost-log.ts";
import type { Stores } from "./storage.ts";
import { createTenantStores } from "./tenant-stores.ts";

/**
 * Opens the database, creating or upgrading it where needed. Other processes may have it open too.
 * Throws PincerError `storage/…`; nothing stays open then.
 */
export async function openSqliteStores(
  parts: SqliteDatabaseParts & {
    ids: Ids;
    /** What the audit log is sealed with; `isOld` where rows from before wait for it. Undefined where the key cannot be had. */
    seal?: (isOld: boolean) => Promise<AuditSeal | undefined>;
    /** Called before the schema is made in a database that has none; what it does is on the disk when it resolves. */
    onNew?: () => Promise<void>;
    /** Called when the log turns out to be gone or damaged: the database is an older one then. */
    onLogLost?: (lost: LostLog) => void;
    /** Called before policy that the database has lost comes back from its copy. */
    onPolicyBack?: (back: PolicyBack & { isNew: boolean }) => void;
  },
): Promise<Stores> {
  const { file, clock, ids } = parts;
  const database = await openSqliteDatabase(parts);
  let seal: AuditSeal | undefined;
  let isLossUnnoted = database.lostLog !== undefined;
  try {
    if (database.lostLog) parts.onLogLost?.(database.lostLog);
    isLossUnnoted = false;
    const currentVersion = await schemaVersionOf(database);
    if (currentVersion === 0) await parts.onNew?.();
    seal = await parts.seal?.(currentVersion > 0 && currentVersion < chainedSince);
    await migrate({ database, dialect: sqliteDialect, clock, currentVersion, seal });
    // A checkpoint that was cut off may have put the rows into the database, and not their head.
    if (database.lostLog) await database.write(mendHeads, { sync: "always" });
    const isNew = currentVersion === 0;
    database.keepPolicy((back) => parts.onPolicyBack?.({ ...back, isNew }));
  } catch (error) {
    await database.close({ isLossUnnoted });
    throw error;
  }
  return {
    tenant: (tenantId) => createTenantStores({ database, clock, ids, tenantId, seal }),
    health: (depth) => checkHealth({ database, file, depth }),
    backup: (target, onProgress) => backupSqlite({ from: file, to: target, onProgress }),
    condition: database.condition,
    tryWrite: database.tryWrite,
    lookForRoom: database.lookForRoom,
    checkPages: database.checkPages,
    close: () => database.close(),
  };
}

function* mendHeads(): Verb<void> {
  for (const sql of mendAuditHeads) yield* change(sql);
}
