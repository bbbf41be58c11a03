/** The schema of version 6: who has a way in through the gateway, and what it keeps about itself. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

export const gatewaySchema = (dialect: SqlDialect): string[] => [
  ...accessTables(dialect),
  ...auditChain(dialect),
];

function accessTables({ json, clustered }: SqlDialect): string[] {
  return [
    // Of a secret only its digest is here. `bound_to`: good only while the secret of that digest is what the config says.
    `CREATE TABLE access (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      role TEXT NOT NULL,
      name TEXT NOT NULL,
      scope_json ${json} NOT NULL,
      secret_digest TEXT,
      public_key TEXT,
      way TEXT NOT NULL,
      bound_to TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      last_used_at TEXT,
      expires_at TEXT,
      revoked_at TEXT,
      PRIMARY KEY (tenant_id, id)
    )${clustered}`,
    `CREATE UNIQUE INDEX access_secrets ON access (tenant_id, secret_digest) WHERE secret_digest IS NOT NULL`,
    `CREATE UNIQUE INDEX access_keys ON access (tenant_id, public_key)
      WHERE public_key IS NOT NULL AND revoked_at IS NULL`,
    `CREATE INDEX access_makers ON access (tenant_id, created_by) WHERE revoked_at IS NULL`,
    `CREATE TABLE device_requests (
      tenant_id TEXT NOT NULL,
      public_key TEXT NOT NULL,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      wants TEXT NOT NULL,
      code TEXT NOT NULL,
      code_key TEXT NOT NULL,
      address TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, public_key)
    )${clustered}`,
    `CREATE UNIQUE INDEX device_requests_codes ON device_requests (tenant_id, code_key)`,
    `CREATE UNIQUE INDEX device_requests_ids ON device_requests (tenant_id, id)`,
    `CREATE TABLE gateway_ids (tenant_id TEXT PRIMARY KEY, id TEXT NOT NULL)${clustered}`,
  ];
}

/**
 * The audit log is made anew, in the order of its chain: every turn writes to it, and each further place that a row has to be put costs every turn.
 * `audit-chain.ts` brings over the rows that are there.
 */
function auditChain({ json, clustered, expectRows }: SqlDialect): string[] {
  return [
    "DROP INDEX audit_logs_recent",
    "DROP INDEX audit_logs_of_resource",
    "ALTER TABLE audit_logs RENAME TO unchained_audit_logs",
    `CREATE TABLE audit_logs (
      tenant_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      id TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      resource_type TEXT NOT NULL,
      resource_id TEXT NOT NULL,
      session_key TEXT,
      run_id TEXT,
      metadata_json ${json} NOT NULL,
      created_at TEXT NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (tenant_id, seq)
    )${clustered}`,
    "CREATE INDEX audit_logs_of_run ON audit_logs (tenant_id, run_id, seq) WHERE run_id IS NOT NULL",
    "CREATE INDEX audit_logs_of_session ON audit_logs (tenant_id, session_key, seq) WHERE session_key IS NOT NULL",
    // What was done to whole sessions is looked up one by one.
    "CREATE INDEX audit_logs_of_deletion ON audit_logs (tenant_id, resource_id) WHERE resource_type = 'session'",
    `CREATE TABLE audit_heads (
      tenant_id TEXT PRIMARY KEY,
      seq INTEGER NOT NULL,
      digest TEXT NOT NULL,
      row_count INTEGER NOT NULL,
      pruned_seq INTEGER NOT NULL,
      pruned_digest TEXT NOT NULL,
      suspect_seq INTEGER NOT NULL,
      anchored_seq INTEGER NOT NULL,
      mac TEXT NOT NULL
    )`,
    ...expectRows("audit_logs", {
      audit_logs: [1_000_000, 1_000_000, 1],
      audit_logs_of_run: [1_000_000, 1_000_000, 2, 1],
      audit_logs_of_session: [1_000_000, 1_000_000, 1000, 1],
      audit_logs_of_deletion: [1000, 1000, 1],
    }),
  ];
}
