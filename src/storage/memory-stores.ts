/**
 * Stores that live as long as the process: for tests and trials. The same verbs over a SQLite database that has no file, so they keep
 * every promise but survival.
 */
import { asPincerError } from "@pincer/sdk";
import { DatabaseSync } from "node:sqlite";
import { timestamp, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Ids } from "../infra/ids.ts";
import type { AuditSeal } from "./audit/audit-seal.ts";
import { first, type Database } from "./sqlite/database.ts";
import { createSchema, newestVersion } from "./schema/migrations.ts";
import { sqliteDialect } from "./sqlite/sql-dialect.ts";
import { countAll } from "./sqlite/sqlite-health.ts";
import { createTransactions } from "./sqlite/sqlite-transactions.ts";
import type { StorageHealth, Stores } from "./storage.ts";
import { createTenantStores } from "./tenant-stores.ts";

export function createMemoryStores({
  clock,
  ids,
  seal,
}: {
  clock: Clock;
  ids: Ids;
  seal?: AuditSeal;
}): Stores {
  const connection = new DatabaseSync(":memory:");
  const place = { connection, file: ":memory:" };
  // By itself: what makes the tables is not asked again.
  createTransactions(place).transact("BEGIN", () => createSchema(sqliteDialect, timestamp(clock)));
  const { transact, read } = createTransactions(place);
  const requireOpen = () => {
    if (!connection.isOpen) throw failure("storage/unavailable", "failure.database-closed");
  };

  const database: Database = {
    async read(verb) {
      requireOpen();
      return read(verb);
    },
    async write(verb, { unless }) {
      requireOpen();
      const found = unless && read(unless);
      return found === undefined ? transact("BEGIN", verb) : found;
    },
    async forgetDeleted() {},
  };

  return {
    tenant: (tenantId) => createTenantStores({ database, clock, ids, tenantId, seal }),
    health: () => checkHealth(database),
    async backup() {
      throw failure("backup/refused", "failure.memory-only");
    },
    condition: () => ({
      writtenAt: clock.now(),
      refusing: undefined,
      refused: undefined,
      logProblem: undefined,
      failedReads: 0,
      damage: [],
    }),
    async tryWrite() {},
    async lookForRoom() {},
    checkPages: async () => [],
    async close() {
      if (connection.isOpen) connection.close();
    },
  };
}

async function checkHealth(database: Database): Promise<StorageHealth> {
  const health: StorageHealth = {
    ok: true,
    kind: "memory",
    schemaVersion: newestVersion,
    sizeBytes: 0,
    sessions: 0,
    entries: 0,
    problems: [],
  };
  try {
    const size = await database.read(() =>
      first<{ bytes: number }>(
        "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
      ),
    );
    return { ...health, sizeBytes: size?.bytes ?? 0, ...(await database.read(countAll)) };
  } catch (error) {
    return { ...health, ok: false, problems: [asPincerError(error)] };
  }
}
