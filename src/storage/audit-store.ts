/** The audit log: who did what to which thing. Never holds the thing's content. */
import { timestamp, type Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import { all, change, type Database, type SqlValue, type Verb } from "./database.ts";
import type { AuditRecord, AuditStore } from "./stores.ts";

export function createAuditStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
}): AuditStore {
  const { database, clock, ids, tenantId } = parts;
  return {
    async record(entry) {
      const record: AuditRecord = { ...entry, id: ids.make("a"), createdAt: timestamp(clock) };
      await database.write(() => insertAudit(tenantId, record), { sync: "now" });
      return record;
    },
    list: (query) => database.read(() => listAudit(tenantId, query)),
  };
}

export function* insertAudit(tenantId: string, record: AuditRecord): Verb<void> {
  yield* change(
    `INSERT INTO audit_logs (id, tenant_id, actor, action, resource_type, resource_id, metadata_json, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      record.id,
      tenantId,
      record.actor,
      record.action,
      record.resourceType,
      record.resourceId,
      JSON.stringify(record.metadata),
      record.createdAt,
    ],
  );
}

interface AuditRow {
  id: string;
  actor: string;
  action: string;
  resource_type: string;
  resource_id: string;
  metadata_json: string;
  created_at: string;
}

function* listAudit(
  tenantId: string,
  { limit, resourceId, action }: Parameters<AuditStore["list"]>[0],
): Verb<AuditRecord[]> {
  const conditions = ["tenant_id = ?"];
  const parameters: SqlValue[] = [tenantId];
  const require = (condition: string, value: string | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters.push(value);
  };
  require("resource_id = ?", resourceId);
  require("action = ?", action);
  const rows = yield* all<AuditRow>(
    `SELECT id, actor, action, resource_type, resource_id, metadata_json, created_at FROM audit_logs
    WHERE ${conditions.join(" AND ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
    [...parameters, Math.max(0, limit)],
  );
  return rows.map((row) => ({
    id: row.id,
    actor: row.actor,
    action: row.action,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    metadata: JSON.parse(row.metadata_json) as Record<string, unknown>,
    createdAt: row.created_at,
  }));
}
