/** The few places where databases want different words for the same table. */
export interface SqlDialect {
  /** Column type for JSON kept exactly as it was written. */
  json: string;
  /** Ends a table that is stored in the order of its primary key. */
  clustered: string;
  /**
   * Statements that tell the planner how many rows it will find, where it does not find out by itself: for each index, all of its rows,
   * and those that are alike in its first column, its first two, and so on.
   */
  expectRows(table: string, indexes: Record<string, readonly number[]>): string[];
  /** The rows of the tool calls in an assistant message; see the view `tool_runs`. */
  toolRunsView: string;
}

export const sqliteDialect: SqlDialect = {
  json: "TEXT",
  clustered: " WITHOUT ROWID",
  // Without this SQLite would rather read everything of a tenant, in order, than go through an index that holds the few rows wanted.
  expectRows: (table, indexes) => [
    `ANALYZE ${table}`,
    ...Object.entries(indexes).map(
      ([index, rows]) =>
        `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('${table}', '${index}', '${rows.join(" ")}')`,
    ),
    "ANALYZE sqlite_schema",
  ],
  toolRunsView: `
    CREATE VIEW tool_runs AS
    SELECT
      called.session_id || ':' || called.seq || ':' || (block.value ->> 'id') AS id,
      called.session_id AS session_id,
      called.tenant_id AS tenant_id,
      called.run_id AS run_id,
      block.value ->> 'name' AS tool_name,
      block.value -> 'arguments' AS args_json,
      result.body_json -> 'message' -> 'content' AS result_json,
      CASE
        WHEN result.seq IS NULL THEN 'pending'
        WHEN result.body_json -> 'message' ->> 'isError' THEN 'error'
        ELSE 'ok'
      END AS status,
      called.time AS created_at
    FROM entries AS called
    CROSS JOIN json_each(called.body_json -> 'message' -> 'content') AS block
    LEFT JOIN entries AS result
      ON result.tenant_id = called.tenant_id
      AND result.session_id = called.session_id
      AND result.seq = (
        SELECT min(candidate.seq)
        FROM entries AS candidate
        WHERE candidate.tenant_id = called.tenant_id
          AND candidate.session_id = called.session_id
          AND candidate.role = 'toolResult'
          AND (candidate.body_json -> 'message' ->> 'toolCallId') = block.value ->> 'id'
          AND candidate.seq > called.seq
      )
    WHERE called.role = 'assistant' AND block.value ->> 'type' = 'toolCall'`,
};
