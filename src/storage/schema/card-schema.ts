/**
 * The schema of version 10: why the gate asks as codes, questions that are asked together on one card, and grants for a
 * session and a time.
 */
import { openQuestion } from "./approval-schema.ts";
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

export const cardSchema = ({ json }: SqlDialect): string[] => [
  `ALTER TABLE approvals ADD COLUMN reasons_json ${json}`,
  `ALTER TABLE approvals ADD COLUMN card TEXT`,
  `ALTER TABLE approvals ADD COLUMN task_id TEXT NOT NULL DEFAULT ''`,
  `UPDATE approvals SET task_id = turn_id`,
  `CREATE INDEX approvals_of_task ON approvals (tenant_id, task_id, position)`,
  `CREATE INDEX approvals_of_card ON approvals (tenant_id, card, position) WHERE card IS NOT NULL`,
  // An empty key: for every session.
  `ALTER TABLE grants ADD COLUMN session_key TEXT NOT NULL DEFAULT ''`,
  `DROP INDEX grants_of_agent`,
  `CREATE UNIQUE INDEX grants_of_agent ON grants (tenant_id, agent_id, turn_id, session_key, scope, tool, key)`,
  // What the gate asked before this version, it judged by other rules: turns that wait ask again.
  `DELETE FROM grants WHERE turn_id <> ''`,
  `UPDATE approvals SET state = 'withdrawn', answered_at = coalesce(answered_at, asked_at)
    WHERE ${openQuestion} OR state = 'approved'`,
  `UPDATE turns SET state = 'queued' WHERE state = 'waiting'`,
];
