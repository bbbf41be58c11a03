/** The stores of a personal install: one SQLite file. */
import type { Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import { migrate } from "./migrations.ts";
import { sqliteDialect } from "./sql-dialect.ts";
import { backupSqlite } from "./sqlite-backup.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import { checkHealth, schemaVersionOf } from "./sqlite-health.ts";
import type { Stores } from "./stores.ts";
import { createTenantStores } from "./tenant-stores.ts";
import type { Fdatasync } from "./wal-file.ts";

/**
 * Opens the database, creating or upgrading it where needed. Other processes may have it open too.
 * Throws PincerError `storage/…`; nothing stays open then.
 */
export async function openSqliteStores(parts: {
  file: string;
  clock: Clock;
  ids: Ids;
  /** Flushes a descriptor to the disk; the system's unless told. */
  fdatasync?: Fdatasync;
}): Promise<Stores> {
  const { file, clock, ids } = parts;
  const database = await openSqliteDatabase(parts);
  try {
    const currentVersion = await schemaVersionOf(database);
    await migrate({ database, dialect: sqliteDialect, clock, currentVersion });
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    tenant: (tenantId) => createTenantStores({ database, clock, ids, tenantId }),
    health: (depth) => checkHealth({ database, file, depth }),
    backup: (target, onProgress) => backupSqlite({ from: file, to: target, onProgress }),
    close: () => database.close(),
  };
}
