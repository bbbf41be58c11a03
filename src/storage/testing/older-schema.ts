/** What undoes steps of the schema, for tests of databases that older versions left. */

/** As approvals and grants were before cards. */
export const withoutCards = [
  "DROP INDEX approvals_of_task",
  "DROP INDEX approvals_of_card",
  ...["reasons_json", "card", "task_id"].map((column) => `ALTER TABLE approvals DROP COLUMN ${column}`),
  "DROP INDEX grants_of_agent",
  "ALTER TABLE grants DROP COLUMN session_key",
  "CREATE UNIQUE INDEX grants_of_agent ON grants (tenant_id, agent_id, turn_id, scope, tool, key)",
];

/** As it was before the gate stored anything of its own. */
export const withoutGate = [
  "gate_files",
  "gate_spans",
  "gate_plans",
  "gate_bits",
  "gate_accepted",
  "gate_accepted_texts",
].map((table) => `DROP TABLE ${table}`);
