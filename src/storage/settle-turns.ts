/** Turns that end without having been run to their end, and dead ones that come back. */
import { change, first, type Verb } from "./database.ts";
import { openTurnsOf } from "./enqueue-turn.ts";
import type { TurnEndingRecord, TurnRecord } from "./message-stores.ts";
import type { Moment } from "./moment.ts";
import { insertReplies } from "./outbox-drafts.ts";
import { closeTurn, findTurn, moveInputs, toTurnRecord, turnColumns, type StoredTurn } from "./turn-row.ts";

/** Also what waits for the running turn and has not been taken up: whoever says stop means that, too. */
export function* cancelQueued(
  moment: Moment,
  { workspaceId, sessionKey }: { workspaceId: string; sessionKey: string },
  ending: TurnEndingRecord,
): Verb<string[]> {
  const { tenantId } = moment;
  const cancelled: string[] = [];
  for (const turn of yield* openTurnsOf(tenantId, workspaceId, sessionKey)) {
    if (turn.state === "running") {
      yield* change(
        `UPDATE inbox SET state = 'done', reason = 'cancelled'
        WHERE tenant_id = ? AND turn_id = ? AND state = 'queued' AND taken = 0`,
        [tenantId, turn.id],
      );
      continue;
    }
    yield* closeTurn(moment, turn.id, { state: "done", ending });
    yield* insertReplies(moment, turn.id, []);
    yield* moveInputs(tenantId, turn.id, { from: "queued", to: "done", reason: "cancelled" });
    cancelled.push(turn.id);
  }
  return cancelled;
}

/** Those of `turnIds` that are still open. */
export function* abandonTurns(moment: Moment, turnIds: readonly string[]): Verb<number> {
  let count = 0;
  for (const turnId of turnIds) {
    const turn = yield* findTurn(moment.tenantId, turnId);
    if (turn?.state !== "queued" && turn?.state !== "running") continue;
    yield* closeTurn(moment, turnId, { state: "failed", ending: { type: "abandoned" } });
    yield* insertReplies(moment, turnId, []);
    yield* moveInputs(moment.tenantId, turnId, { from: "queued", to: "done", reason: "abandoned" });
    count++;
  }
  return count;
}

export function* reviveTurn(tenantId: string, turnId: string): Verb<TurnRecord | undefined> {
  const row = yield* first<StoredTurn>(
    `UPDATE turns SET state = 'queued', claims = 0, deadline_at = NULL, ended_at = NULL, ending_json = NULL
    WHERE tenant_id = ? AND id = ? AND state = 'dead' RETURNING ${turnColumns}`,
    [tenantId, turnId],
  );
  if (!row) return undefined;
  yield* moveInputs(tenantId, turnId, { from: "dead", to: "queued" });
  return toTurnRecord(row);
}

export function* dropTurn(moment: Moment, turnId: string): Verb<boolean> {
  const turn = yield* findTurn(moment.tenantId, turnId);
  if (turn?.state !== "dead") return false;
  yield* closeTurn(moment, turnId, { state: "failed", ending: { type: "dropped" } });
  yield* moveInputs(moment.tenantId, turnId, { from: "dead", to: "done" });
  return true;
}
