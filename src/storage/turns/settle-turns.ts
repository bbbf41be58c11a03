/** Turns that end without having been run to their end, and dead ones that come back. */
import { change, first, type Verb } from "../sqlite/database.ts";
import { closeCalls } from "./close-calls.ts";
import { openTurnsOf, waitingTurnsOf } from "./enqueue-turn.ts";
import { inboxOfTurn, isUntaken, toInboxRow } from "../inbox/inbox-row.ts";
import type { OutboxDraft, OutboxRow } from "../outbox/outbox.ts";
import type { CancelledMessage, CancelledWork, CancelQueued, TurnEndingRecord, TurnRecord } from "./turns.ts";
import type { Moment } from "../moment.ts";
import { insertDrafts, insertReplies } from "../outbox/outbox-drafts.ts";
import { closeTurn, findTurn, moveInputs, toTurnRecord, turnColumns, type StoredTurn } from "./turn-row.ts";

/** Also what waits for the running turn and has not been taken up: a stop means that, too. */
export function* cancelQueued(moment: Moment, request: CancelQueued): Verb<CancelledWork> {
  const { tenantId } = moment;
  const turnIds: string[] = [];
  const messages: CancelledMessage[] = [];
  const { conversation } = request;
  const open = yield* openTurnsOf(tenantId, request, conversation);
  const parked = yield* waitingTurnsOf(tenantId, request, conversation);
  for (const stored of [...parked, ...open].sort((a, b) => a.position - b.position)) {
    const turn = toTurnRecord(stored);
    const isRunning = turn.state === "running";
    const inputs = (yield* inboxOfTurn(tenantId, turn.turnId)).filter((row) =>
      isRunning ? isUntaken(row) : row.state === "queued",
    );
    for (const row of inputs) yield* endInput(tenantId, row.position);
    const spoken = inputs.map(toInboxRow).filter(({ isOverheard }) => !isOverheard);
    messages.push(...spoken.map((row) => ({ turn, row })));
    if (isRunning) continue;
    if (turn.state === "waiting") yield* closeCalls(moment, stored);
    yield* closeTurn(moment, turn.turnId, { state: "done", ending: request.ending });
    yield* insertReplies(moment, turn.turnId, []);
    turnIds.push(turn.turnId);
  }
  return { turnIds, outbox: yield* insertDrafts(moment, request.replies?.(messages) ?? []) };
}

function* endInput(tenantId: string, position: number): Verb<void> {
  yield* change(
    "UPDATE inbox SET state = 'done', reason = 'cancelled' WHERE tenant_id = ? AND position = ?",
    [tenantId, position],
  );
}

/** Only a run can end what has begun: its transcript has to be closed, too. Of one that waits it is certain what has not run. */
export function* cancelTurn(
  moment: Moment,
  turnId: string,
  { ending, replies }: { ending: TurnEndingRecord; replies: OutboxDraft[] },
): Verb<OutboxRow[] | undefined> {
  const turn = yield* findTurn(moment.tenantId, turnId);
  const hasNotBegun = turn?.state === "queued" && turn.session_id === null;
  if (!turn || !(hasNotBegun || turn.state === "waiting")) return undefined;
  if (turn.state === "waiting") yield* closeCalls(moment, turn);
  yield* closeTurn(moment, turnId, { state: "done", ending });
  yield* moveInputs(moment.tenantId, turnId, { from: "queued", to: "done", reason: "cancelled" });
  return yield* insertReplies(moment, turnId, replies);
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
  const dead = yield* findTurn(tenantId, turnId);
  if (dead?.state !== "dead") return undefined;
  const options = { ...toTurnRecord(dead).options, revived: true };
  const row = yield* first<StoredTurn>(
    `UPDATE turns SET state = 'queued', claims = 0, deadline_at = NULL, ended_at = NULL, ending_json = NULL, options_json = ?
    WHERE tenant_id = ? AND id = ? AND state = 'dead' RETURNING ${turnColumns}`,
    [JSON.stringify(options), tenantId, turnId],
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
