/** How a turn leaves its runner: at its end, parked for later, or as a dead letter. */
import type { Entry } from "@pincer/sdk";
import { openQuestionsOf } from "../approvals/approval-row.ts";
import { change, type Verb } from "../sqlite/database.ts";
import { attach, isOpenFor, openTurnsOf } from "./enqueue-turn.ts";
import { appendEntries, appendToSession } from "../sessions/entry-store.ts";
import { returnContext, untakenOfTurn } from "../inbox/inbox-row.ts";
import type { OutboxRow } from "../outbox/outbox.ts";
import type { EndTurn, ParkedTurn, TurnRecord, TurnStore } from "./turns.ts";
import type { Moment } from "../moment.ts";
import { addNotice } from "../outbox/notice-store.ts";
import { insertReplies } from "../outbox/outbox-drafts.ts";
import { addTokens } from "../sessions/session-verbs.ts";
import type { SessionRecord } from "../stores.ts";
import { addStep } from "./turn-journal.ts";
import {
  closeTurn,
  findTurn,
  insertTurn,
  makeRoomBefore,
  moveInputs,
  requireEnding,
  requireRunning,
  toTurnRecord,
  type RunningTurn,
} from "./turn-row.ts";

type Verbs = { [Name in keyof TurnStore]: Parameters<TurnStore[Name]> };

export function* endTurn(moment: Moment, request: EndTurn): Verb<Awaited<ReturnType<TurnStore["end"]>>> {
  const { tenantId } = moment;
  const { turnId, state, ending } = request;
  const running = yield* requireEnding(tenantId, turnId, request.fence);
  const { hasAsked } = running;
  const session = yield* closeSession(moment, running, request);
  const closed = yield* closeTurn(moment, turnId, { state, ending, lastSeq: session.lastSeq, hasAsked });
  const followUp = running.hasUntaken ? yield* giveOn(moment, turnId) : undefined;
  yield* moveInputs(tenantId, turnId, { from: "queued", to: "done" });
  const outbox = yield* insertReplies(moment, turnId, request.replies, running);
  if (request.notice) yield* addNotice(moment, request.notice);
  return { ...closed, session, outbox, followUp };
}

export function* recordSteps(
  moment: Moment,
  { turnId, fence, bodies, steps }: Verbs["record"][0],
): Verb<Entry[]> {
  const turn = yield* requireRunning(moment.tenantId, turnId, fence);
  for (const step of steps) yield* addStep(moment.tenantId, turnId, { step, time: moment.now });
  return yield* append(moment, turn, bodies);
}

export function* parkTurn(
  moment: Moment,
  { turnId, fence, state: wished, reason }: Verbs["park"][0],
): Verb<ParkedTurn> {
  const { tenantId, now } = moment;
  yield* requireRunning(tenantId, turnId, fence);
  // Answered while it was on its way here: nobody would ever wake it.
  const waits = wished === "waiting" && (yield* openQuestionsOf(tenantId, turnId)).length > 0;
  const state = waits ? "waiting" : "queued";
  yield* change(
    "UPDATE turns SET state = ?, claims = claims - 1, deadline_at = NULL WHERE tenant_id = ? AND id = ?",
    [state, tenantId, turnId],
  );
  yield* addStep(tenantId, turnId, { step: { type: "parked", reason }, time: now });
  if (!waits) return { state, followUp: undefined };
  // What was shown of it stays as it is: the answer comes behind the question, not as an edit far above it.
  yield* insertReplies(moment, turnId, []);
  // Its command may be gone when the answer comes: from here on the queue delivers it.
  yield* change("UPDATE turns SET direct = 0 WHERE tenant_id = ? AND id = ?", [tenantId, turnId]);
  return { state, followUp: yield* giveOn(moment, turnId) };
}

export function* buryTurn(
  moment: Moment,
  turnId: string,
  { replies, notice }: Verbs["bury"][1],
): Verb<OutboxRow[]> {
  const { tenantId } = moment;
  const turn = yield* findTurn(tenantId, turnId);
  if (!turn || !(turn.state === "queued" || turn.state === "running")) return [];
  yield* closeTurn(moment, turnId, { state: "dead", ending: { type: "crashed", claims: turn.claims } });
  // What joined it and was never shown to it is not what crashed it.
  if (turn.session_id !== null) yield* giveOn(moment, turnId);
  yield* moveInputs(tenantId, turnId, { from: "queued", to: "dead" });
  yield* addNotice(moment, notice);
  return yield* insertReplies(moment, turnId, replies);
}

/** The last entries and what was used. */
function* closeSession(
  { tenantId, now }: Moment,
  { id: turnId, session_id: sessionId }: RunningTurn,
  { bodies, tokens }: EndTurn,
): Verb<SessionRecord> {
  if (bodies.length === 0) return yield* addTokens(tenantId, sessionId, tokens);
  const { session } = yield* appendToSession({ tenantId, sessionId, bodies, time: now, turnId, tokens });
  return session;
}

function* append({ tenantId, now }: Moment, turn: RunningTurn, bodies: EndTurn["bodies"]): Verb<Entry[]> {
  if (bodies.length === 0) return [];
  const { id: turnId, session_id: sessionId } = turn;
  return yield* appendEntries({ tenantId, sessionId, bodies, time: now, turnId });
}

/**
 * What the turn did not take up goes to the turn of its conversation that is queued next, if it may join that one; else it becomes a
 * turn of its own in the same place, before the others of its conversation, so that nothing overtakes it. A session is not begun
 * anew for it.
 */
function* giveOn(moment: Moment, turnId: string): Verb<TurnRecord | undefined> {
  const { tenantId } = moment;
  const untaken = yield* untakenOfTurn(tenantId, turnId);
  if (untaken.length === 0) return undefined;
  const row = untaken.some(({ overheard }) => overheard === 0)
    ? yield* findTurn(tenantId, turnId)
    : undefined;
  if (!row) {
    yield* returnContext(tenantId, turnId);
    return undefined;
  }
  const ended = toTurnRecord(row);
  const behind = yield* openTurnsOf(tenantId, ended, row.conversation);
  const [next] = behind;
  const { newSession: _, continued: __, setAside: ___, dryRun: ____, ...options } = ended.options;
  const followUp =
    next && isOpenFor(next, ended)
      ? toTurnRecord(next)
      : toTurnRecord(
          yield* insertTurn(
            moment,
            { ...ended, options, replyTo: null },
            { position: yield* makeRoomBefore(tenantId, behind) },
          ),
        );
  yield* attach(
    tenantId,
    followUp.turnId,
    untaken.map(({ id }) => id),
  );
  return followUp;
}
