/** The journal of a turn: what happened in it besides its entries. */
import { all, change, type Verb } from "../sqlite/database.ts";
import type { BegunCall, JournalRow, JournalStep } from "./turns.ts";

export function* addStep(
  tenantId: string,
  turnId: string,
  { step, time }: { step: JournalStep; time: string },
): Verb<void> {
  yield* change(
    `INSERT INTO journal (tenant_id, turn_id, seq, type, time, step_json)
    VALUES (?, ?, (SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE tenant_id = ? AND turn_id = ?), ?, ?, ?)`,
    [tenantId, turnId, tenantId, turnId, step.type, time, JSON.stringify(step)],
  );
}

export function* readJournal(tenantId: string, turnId: string): Verb<JournalRow[]> {
  const rows = yield* all<{ seq: number; time: string; step_json: string }>(
    "SELECT seq, time, step_json FROM journal WHERE tenant_id = ? AND turn_id = ? ORDER BY seq",
    [tenantId, turnId],
  );
  return rows.map(({ seq, time, step_json }) => ({ ...(JSON.parse(step_json) as JournalStep), seq, time }));
}

/** The tool calls that were begun. */
export function* readBegunCalls(tenantId: string, turnId: string): Verb<BegunCall[]> {
  const rows = yield* all<{ time: string; step_json: string }>(
    "SELECT time, step_json FROM journal WHERE tenant_id = ? AND turn_id = ? AND type = 'tool-begin' ORDER BY seq",
    [tenantId, turnId],
  );
  return rows.map(({ time, step_json }) => {
    const { callId, answer } = JSON.parse(step_json) as Extract<JournalStep, { type: "tool-begin" }>;
    return { callId, time, ...(answer ? { answer } : {}) };
  });
}
