/** The schema of version 3: what it takes to ask models, and what that has cost. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

export const modelSchema = (dialect: SqlDialect): string[] => [
  ...credentialTables(dialect),
  ...usageTables(dialect),
];

function credentialTables({ json, clustered }: SqlDialect): string[] {
  return [
    // An empty agent id: for every agent.
    `CREATE TABLE credentials (
      tenant_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      id TEXT NOT NULL,
      provider TEXT NOT NULL,
      type TEXT NOT NULL,
      label TEXT,
      expires_at TEXT,
      source TEXT NOT NULL,
      sealed TEXT NOT NULL,
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, agent_id, id)
    )${clustered}`,
    // Beside the credentials: those of the config have a use, but no row.
    `CREATE TABLE credential_uses (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      provider TEXT NOT NULL,
      last_used_at TEXT,
      error_count INTEGER NOT NULL DEFAULT 0,
      billing_count INTEGER NOT NULL DEFAULT 0,
      cooldown_until TEXT,
      disabled_until TEXT,
      disabled_reason TEXT,
      last_error TEXT,
      last_error_at TEXT,
      PRIMARY KEY (tenant_id, id)
    )${clustered}`,
    `CREATE TABLE credential_orders (
      tenant_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      provider TEXT NOT NULL,
      ids_json ${json} NOT NULL,
      PRIMARY KEY (tenant_id, agent_id, provider)
    )${clustered}`,
  ];
}

function usageTables({ json, clustered, expectRows }: SqlDialect): string[] {
  const sums = `
      input INTEGER NOT NULL DEFAULT 0,
      output INTEGER NOT NULL DEFAULT 0,
      cache_read INTEGER NOT NULL DEFAULT 0,
      cache_write INTEGER NOT NULL DEFAULT 0,
      total INTEGER NOT NULL DEFAULT 0,
      cost DOUBLE PRECISION NOT NULL DEFAULT 0`;
  return [
    `CREATE TABLE usage_calls (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      turn_id TEXT,
      session_id TEXT,
      session_key TEXT,
      agent_id TEXT NOT NULL,
      provider TEXT NOT NULL,
      model TEXT NOT NULL,
      credential TEXT,
      outcome TEXT NOT NULL,
      estimated INTEGER NOT NULL DEFAULT 0,
      unpriced INTEGER NOT NULL DEFAULT 0,${sums},
      started_at TEXT NOT NULL,
      duration_ms INTEGER NOT NULL,
      first_byte_ms INTEGER,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE INDEX usage_by_time ON usage_calls (tenant_id, started_at)`,
    `CREATE INDEX usage_of_turn ON usage_calls (tenant_id, turn_id, position) WHERE turn_id IS NOT NULL`,
    `CREATE INDEX usage_of_session ON usage_calls (tenant_id, session_id, position) WHERE session_id IS NOT NULL`,
    // Those under way: few at any time. Whose they are stands here too, because a total may be forgotten while they are.
    `CREATE TABLE usage_open (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      turn_id TEXT,
      session_id TEXT,
      agent_id TEXT NOT NULL,
      started_at TEXT NOT NULL,
      holder_json ${json} NOT NULL,
      room_tokens INTEGER NOT NULL,
      room_cost DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    // What a limit is compared with, so that looking costs the same however long the ledger is.
    `CREATE TABLE usage_totals (
      tenant_id TEXT NOT NULL,
      scope TEXT NOT NULL,
      key TEXT NOT NULL,
      calls INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      estimated INTEGER NOT NULL DEFAULT 0,
      unpriced INTEGER NOT NULL DEFAULT 0,${sums},
      PRIMARY KEY (tenant_id, scope, key)
    )${clustered}`,
    ...expectRows("usage_calls", {
      usage_calls: [1_000_000, 1_000_000, 1],
      usage_by_time: [1_000_000, 1_000_000, 1],
      usage_of_turn: [1_000_000, 1_000_000, 5, 1],
      usage_of_session: [1_000_000, 1_000_000, 500, 1],
    }),
  ];
}
