/** The schema of version 5: what is asked of the owner before a call runs, and what the owner allowed beyond it. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

/** A question that nobody has answered. A query names it literally, so that the indexes serve it. */
export const openQuestion = "state = 'pending'";

export const approvalSchema = (dialect: SqlDialect): string[] => [
  ...approvalTables(dialect),
  ...grantTables(dialect),
  // A question can be answered by pressing something.
  `ALTER TABLE outbox ADD COLUMN actions_json ${dialect.json}`,
  // Stopping a session looks for those of its turns that wait.
  `CREATE INDEX turns_waiting ON turns (tenant_id, workspace_id, session_key, position) WHERE state = 'waiting'`,
];

function approvalTables({ json, clustered, expectRows }: SqlDialect): string[] {
  return [
    `CREATE TABLE approvals (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      call_id TEXT NOT NULL,
      workspace_id TEXT NOT NULL,
      session_key TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      person_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      subject_json ${json} NOT NULL,
      reason TEXT NOT NULL,
      rule TEXT NOT NULL,
      cause_json ${json},
      scopes_json ${json} NOT NULL,
      keys_json ${json} NOT NULL,
      state TEXT NOT NULL,
      scope TEXT,
      asked_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      answered_at TEXT,
      answered_by TEXT,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE UNIQUE INDEX approvals_ids ON approvals (tenant_id, id)`,
    `CREATE INDEX approvals_of_turn ON approvals (tenant_id, turn_id, position)`,
    `CREATE INDEX approvals_of_key ON approvals (tenant_id, session_key, position)`,
    `CREATE INDEX approvals_of_state ON approvals (tenant_id, state, position)`,
    `CREATE INDEX approvals_open ON approvals (tenant_id, turn_id, position) WHERE ${openQuestion}`,
    `CREATE INDEX approvals_due ON approvals (tenant_id, expires_at) WHERE ${openQuestion}`,
    `CREATE INDEX approvals_settled ON approvals (tenant_id, answered_at) WHERE answered_at IS NOT NULL`,
    ...expectRows("approvals", {
      approvals: [10_000, 10_000, 1],
      approvals_ids: [10_000, 10_000, 1],
      approvals_of_turn: [10_000, 10_000, 2, 1],
      approvals_of_key: [10_000, 10_000, 100, 1],
      approvals_of_state: [10_000, 10_000, 2000, 1],
      approvals_open: [5, 5, 1, 1],
      approvals_due: [5, 5, 1],
      approvals_settled: [10_000, 10_000, 1],
    }),
  ];
}

function grantTables({ clustered, expectRows }: SqlDialect): string[] {
  return [
    // An empty turn id: good for every turn.
    `CREATE TABLE grants (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      scope TEXT NOT NULL,
      tool TEXT NOT NULL,
      key TEXT NOT NULL,
      shown TEXT NOT NULL,
      granted_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE UNIQUE INDEX grants_ids ON grants (tenant_id, id)`,
    // The same thing is granted once.
    `CREATE UNIQUE INDEX grants_of_agent ON grants (tenant_id, agent_id, turn_id, scope, tool, key)`,
    `CREATE INDEX grants_of_turn ON grants (tenant_id, turn_id) WHERE turn_id <> ''`,
    `CREATE INDEX grants_ending ON grants (tenant_id, expires_at) WHERE expires_at IS NOT NULL`,
    ...expectRows("grants", {
      grants: [1000, 1000, 1],
      grants_ids: [1000, 1000, 1],
      grants_of_agent: [1000, 1000, 200, 50, 10, 5, 1],
      grants_of_turn: [50, 50, 2],
      grants_ending: [50, 50, 1],
    }),
  ];
}
