/** The schema of version 1: directory, sessions, entries, leases, audit. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

export function firstSchema({ json, clustered, toolRunsView }: SqlDialect): string[] {
  return [
    `CREATE TABLE tenants (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      status TEXT NOT NULL DEFAULT 'active',
      plan TEXT NOT NULL
    )`,
    `CREATE TABLE workspaces (
      id TEXT NOT NULL,
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      name TEXT NOT NULL,
      status TEXT NOT NULL DEFAULT 'active',
      PRIMARY KEY (tenant_id, id)
    )`,
    `CREATE TABLE agents (
      id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      workspace_id TEXT NOT NULL,
      name TEXT NOT NULL,
      model_policy_json ${json} NOT NULL DEFAULT '{}',
      tool_policy_json ${json} NOT NULL DEFAULT '{}',
      status TEXT NOT NULL DEFAULT 'active',
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
    )`,
    // A session outlives its agent's row, and a restored one may come before it: no reference to agents.
    `CREATE TABLE sessions (
      id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      workspace_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      session_key TEXT NOT NULL,
      channel TEXT NOT NULL,
      account_id TEXT,
      peer_key TEXT,
      thread_key TEXT,
      origin_json ${json} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('active', 'ended')),
      memory_enabled INTEGER NOT NULL DEFAULT 0,
      compacted_message_count INTEGER NOT NULL DEFAULT 0,
      compaction_count INTEGER NOT NULL DEFAULT 0,
      memory_flush_at TEXT,
      tokens_input INTEGER NOT NULL DEFAULT 0,
      tokens_output INTEGER NOT NULL DEFAULT 0,
      tokens_context INTEGER NOT NULL DEFAULT 0,
      tokens_total INTEGER NOT NULL DEFAULT 0,
      last_seq INTEGER NOT NULL DEFAULT 0,
      entry_count INTEGER NOT NULL DEFAULT 0,
      message_count INTEGER NOT NULL DEFAULT 0,
      mirrored_seq INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`,
    `CREATE UNIQUE INDEX sessions_active ON sessions (tenant_id, workspace_id, session_key)
      WHERE state = 'active'`,
    `CREATE INDEX sessions_recent ON sessions (tenant_id, updated_at, id)`,
    `CREATE INDEX sessions_unmirrored ON sessions (tenant_id, updated_at, id)
      WHERE mirrored_seq < last_seq`,
    // The tenant leads the key: two tenants may have taken in the same transcript.
    `CREATE TABLE entries (
      tenant_id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      role TEXT,
      run_id TEXT,
      time TEXT NOT NULL,
      body_json ${json} NOT NULL,
      PRIMARY KEY (tenant_id, session_id, seq),
      FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id)
    )${clustered}`,
    // The row stays when the lease is released (holder_json is null then), so that fencing always rises.
    `CREATE TABLE leases (
      tenant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      holder_json ${json},
      fencing INTEGER NOT NULL,
      acquired_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, name)
    )${clustered}`,
    `CREATE TABLE audit_logs (
      id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      resource_type TEXT NOT NULL,
      resource_id TEXT NOT NULL,
      metadata_json ${json} NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`,
    `CREATE INDEX audit_logs_recent ON audit_logs (tenant_id, created_at, id)`,
    `CREATE INDEX audit_logs_of_resource ON audit_logs (tenant_id, resource_id, created_at, id)`,
    `CREATE VIEW messages AS
      SELECT
        session_id || ':' || seq AS id,
        session_id,
        tenant_id,
        role,
        body_json -> 'message' -> 'content' AS content_json,
        CAST(body_json -> 'message' -> 'usage' ->> 'input' AS INTEGER) AS token_input,
        CAST(body_json -> 'message' -> 'usage' ->> 'output' AS INTEGER) AS token_output,
        CAST(body_json -> 'message' -> 'usage' ->> 'cost' AS REAL) AS cost,
        time AS created_at
      FROM entries
      WHERE type = 'message'`,
    toolRunsView,
  ];
}
