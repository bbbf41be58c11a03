/** The schema of version 4: where the context of a session begins, and the owner's standing rules. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

export function contextSchema({ json, clustered }: SqlDialect): string[] {
  return [
    // Which entries are marks: compactions, anchors, and what was carried over from another session.
    `CREATE TABLE session_marks (
      tenant_id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      PRIMARY KEY (tenant_id, session_id, seq),
      FOREIGN KEY (tenant_id, session_id, seq) REFERENCES entries (tenant_id, session_id, seq)
    )${clustered}`,
    `INSERT INTO session_marks (tenant_id, session_id, seq, type)
      SELECT tenant_id, session_id, seq, type FROM entries
      WHERE type IN ('compaction', 'anchor') OR (type = 'event' AND body_json ->> 'name' = 'carried')`,
    `CREATE INDEX sessions_of_key ON sessions (tenant_id, workspace_id, session_key, created_at, id)`,
    // An empty agent id: for every agent.
    `CREATE TABLE standing_rules (
      tenant_id TEXT NOT NULL,
      id INTEGER NOT NULL,
      agent_id TEXT NOT NULL,
      text TEXT NOT NULL,
      enforcement_json ${json},
      set_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )${clustered}`,
    // Outlives the rules, so that no id is given twice.
    `CREATE TABLE rule_counters (
      tenant_id TEXT PRIMARY KEY,
      last_id INTEGER NOT NULL,
      version INTEGER NOT NULL
    )`,
  ];
}
