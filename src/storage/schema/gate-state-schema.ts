/** The schema of version 10: what the gate remembers about files, programs, plans and addresses. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";
import { all, change, type Verb } from "../sqlite/database.ts";

export const gateStateSchema = ({ json, clustered }: SqlDialect): string[] => [
  // A row holds for content of its hash alone.
  `CREATE TABLE gate_files (
    tenant_id TEXT NOT NULL,
    path TEXT NOT NULL,
    set_by TEXT NOT NULL,
    hash TEXT NOT NULL,
    label_json ${json} NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (tenant_id, path, hash)
  )${clustered}`,
  // A copy of a file has the same hash under another path.
  "CREATE INDEX gate_files_by_hash ON gate_files (tenant_id, hash)",
  // When something else than our own tools may have written below `root`; everywhere where that is empty.
  `CREATE TABLE gate_spans (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    root TEXT NOT NULL,
    kind TEXT NOT NULL,
    began_at TEXT NOT NULL,
    ended_at TEXT,
    holder_json ${json},
    PRIMARY KEY (tenant_id, id)
  )${clustered}`,
  `CREATE TABLE gate_plans (
    tenant_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    part TEXT NOT NULL,
    plan_json ${json} NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (tenant_id, turn_id, part)
  )${clustered}`,
  `CREATE TABLE gate_bits (
    tenant_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    day TEXT NOT NULL,
    bits DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, day)
  )${clustered}`,
  `CREATE TABLE gate_accepted (
    tenant_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    set_by TEXT NOT NULL,
    accepted_at TEXT NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, path, hash)
  )${clustered}`,
  // Beside the rows above, which are policy and kept a second time: this is only for showing what has changed.
  `CREATE TABLE gate_accepted_texts (
    tenant_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, path)
  )${clustered}`,
];

/** A home from before: nobody knows in which of its files programs have written until now. */
export function* noteUnrecorded(appliedAt: string): Verb<void> {
  for (const { id } of yield* all<{ id: string }>("SELECT id FROM tenants"))
    yield* change(
      `INSERT INTO gate_spans (tenant_id, id, root, kind, began_at, ended_at) VALUES (?, 'unrecorded', '', 'unrecorded', '', ?)`,
      [id, appliedAt],
    );
}
