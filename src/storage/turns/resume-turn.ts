/** How a turn that stopped short goes on because somebody asks for it. */
import { conversationOf } from "@pincer/sdk";
import { change, first, type Verb } from "../sqlite/database.ts";
import { attach } from "./enqueue-turn.ts";
import { findInbox, toInboxRow } from "../inbox/inbox-row.ts";
import type { Moment } from "../moment.ts";
import { findActive } from "../sessions/session-verbs.ts";
import type { SessionRecord } from "../stores.ts";
import { addStep } from "./turn-journal.ts";
import { toTurnRecord, turnColumns, type StoredTurn } from "./turn-row.ts";
import type { ContinuedFrom, ResumeOutcome, ResumeTurn, TurnEndingRecord, TurnPerson } from "./turns.ts";
import { forgetTurnTotals } from "../usage/usage-store.ts";

export function* resumeTurn(moment: Moment, request: ResumeTurn): Verb<ResumeOutcome> {
  const { tenantId } = moment;
  const found = yield* findInbox(tenantId, request.input);
  if (!found) throw new Error("a turn is to go on for a message that is not there");
  const row = toInboxRow(found);
  if (row.state !== "new") return { type: "settled", turnId: row.turnId, row };

  const last = yield* findResumable(tenantId, request);
  if (last.type === "refused") return last;
  yield* attach(tenantId, last.turn.id, [row.id]);
  const turn = yield* requeue(moment, last, request);
  const step = { type: "continued" as const, input: row.id };
  yield* addStep(tenantId, turn.id, { step, time: moment.now });
  yield* forgetTurnTotals(tenantId, turn.id);
  // What it says next is said, also when it is what it said when it stopped.
  yield* change("UPDATE outbox SET dedupe_key = NULL WHERE tenant_id = ? AND turn_id = ?", [
    tenantId,
    turn.id,
  ]);
  return { type: "resumed", turn: toTurnRecord(turn) };
}

type Refused = Extract<ResumeOutcome, { type: "refused" }>;
type Found = { type: "found"; turn: StoredTurn; session: SessionRecord };

function* findResumable(tenantId: string, request: ResumeTurn): Verb<Found | Refused> {
  const { workspaceId, sessionKey } = request.session;
  const refused = (reason: Refused["reason"]) => ({ type: "refused" as const, reason });
  const turn = yield* first<StoredTurn>(
    `SELECT ${turnColumns} FROM turns WHERE tenant_id = ? AND session_key = ? AND workspace_id = ?
    ORDER BY position DESC LIMIT 1`,
    [tenantId, sessionKey, workspaceId],
  );
  if (!turn) return refused("nothing");
  if (turn.state === "queued" || turn.state === "running") return refused("running");
  if (turn.state === "waiting") return refused("waiting");
  const session = yield* findActive(tenantId, workspaceId, sessionKey);
  const isMeant = request.turnId === undefined || request.turnId === turn.id;
  if (!isMeant || !session || session.sessionId !== turn.session_id || !stoppedShort(turn))
    return refused("nothing");
  if (!isSamePlace(turn, request)) return refused("elsewhere");
  if (!isTheirs(turn, request)) return refused("not-yours");
  return { type: "found", turn, session };
}

/** Whether more steps, more money, another try or a mended config could bring it to a better end. */
export function canGoOn(ending: TurnEndingRecord): boolean {
  if (ending.type === "failed") return /^(?:model|config)\//.test(ending.code);
  return resumable.has(ending.type);
}

const resumable: ReadonlySet<TurnEndingRecord["type"]> = new Set([
  "step-limit",
  "budget",
  "repeated-calls",
  "breaker",
  "model-failed",
  "cut",
]);

function stoppedShort({ state, ending_json }: StoredTurn): boolean {
  if (ending_json === null || !(state === "done" || state === "failed")) return false;
  return canGoOn(JSON.parse(ending_json) as TurnEndingRecord);
}

/** Its answer goes where it always went. */
const isSamePlace = (turn: StoredTurn, { destination }: ResumeTurn): boolean =>
  turn.conversation === (destination ? conversationOf(destination) : "");

/** It goes on with the rights of its sender. Nobody else may borrow them, except the owner, who has them all. */
function isTheirs(turn: StoredTurn, { person }: ResumeTurn): boolean {
  const { role, id } = JSON.parse(turn.person_json) as TurnPerson;
  return person.role === "owner" || (role === person.role && id === person.id);
}

/** At the end of the queue, as if it had just been asked; its entries and its session stay. */
function* requeue(
  { tenantId, now }: Moment,
  { turn, session }: Found,
  { options, direct = false }: ResumeTurn,
): Verb<StoredTurn> {
  const continued: ContinuedFrom = { sessionId: session.sessionId, seq: session.lastSeq };
  const wishes = { ...(JSON.parse(turn.options_json) as Record<string, unknown>), ...options, continued };
  const row = yield* first<StoredTurn>(
    `UPDATE turns SET state = 'queued', claims = 0, direct = ?, options_json = ?, queued_at = ?, started_at = NULL,
      ended_at = NULL, ending_json = NULL, deadline_at = NULL, last_seq = NULL, inputs = 1,
      position = (SELECT max(position) + 1 FROM turns WHERE tenant_id = ?)
    WHERE tenant_id = ? AND id = ? RETURNING ${turnColumns}`,
    [direct ? 1 : 0, JSON.stringify(wishes), now, tenantId, tenantId, turn.id],
  );
  if (!row) throw new Error("a turn that goes on is gone");
  return row;
}
