/** How messages become turns, or part of one that is there. */
import { conversationOf } from "@pincer/sdk";
import { all, change, first, type Verb } from "./database.ts";
import { findInbox, type StoredInbox } from "./inbox-row.ts";
import { openTurn } from "./message-schema.ts";
import type { EnqueueOutcome, EnqueueTurn, TurnPerson, TurnRecord } from "./message-stores.ts";
import type { Moment } from "./moment.ts";
import { insertTurn, toTurnRecord, turnColumns, type StoredTurn } from "./turn-row.ts";

export function* enqueueTurn(moment: Moment, request: EnqueueTurn): Verb<EnqueueOutcome> {
  const { tenantId } = moment;
  const inputs = yield* readInputs(tenantId, request.inputs);
  const settled = inputs.find((row) => row?.state !== "new" && row?.state !== "context");
  const hasNew = inputs.some((row) => row?.state === "new");
  if (settled || !hasNew || inputs.includes(undefined))
    return { type: "settled", turnId: settled?.turn_id ?? null };

  const { workspaceId, sessionKey } = request.session;
  const open = yield* openTurnsOf(tenantId, workspaceId, sessionKey);
  const waiting = yield* countWaiting(tenantId, open);
  if (waiting >= request.cap) return { type: "full", waiting };

  const joined = turnToJoin(open, request);
  if (joined) {
    yield* attach(tenantId, joined.id, request.inputs);
    return { type: "joined", turn: toTurnRecord(joined) };
  }
  const { destination, person, rule, options, replyTo = null, direct = false } = request;
  const turn = yield* insertTurn(moment, {
    ...request.session,
    destination,
    person,
    rule,
    options,
    replyTo,
    direct,
  });
  yield* attach(tenantId, turn.turnId, request.inputs);
  const running = open.find(({ state }) => state === "running");
  const interrupts = request.mode === "interrupt" && running ? { interrupts: running.id } : {};
  return { type: "queued", turn, ahead: open.length, ...interrupts };
}

/** Gives messages to a turn that has not begun with them. */
export function* attach(tenantId: string, turnId: string, inputs: readonly string[]): Verb<void> {
  for (const id of inputs)
    yield* change(
      "UPDATE inbox SET state = 'queued', turn_id = ?, taken = 0 WHERE tenant_id = ? AND id = ?",
      [turnId, tenantId, id],
    );
}

/** Queued and running turns of a session, in order. */
export function* openTurnsOf(tenantId: string, workspaceId: string, sessionKey: string): Verb<StoredTurn[]> {
  return yield* all<StoredTurn>(
    `SELECT ${turnColumns} FROM turns
    WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND ${openTurn} ORDER BY position`,
    [tenantId, workspaceId, sessionKey],
  );
}

/**
 * The last one of the same conversation, so that nothing overtakes: where it is queued it begins with the message, where it runs and the
 * mode is to steer it takes it up on the way.
 */
function turnToJoin(open: readonly StoredTurn[], request: EnqueueTurn): StoredTurn | undefined {
  const { mode, destination, direct = false, person } = request;
  if (destination === null || !(mode === "steer" || mode === "collect")) return undefined;
  const last = open.findLast((turn) => turn.conversation === conversationOf(destination));
  if (!last) return undefined;
  const words = { destination, direct, person };
  if (isOpenFor(last, words)) return last;
  const isRunning = mode === "steer" && last.state === "running";
  return isRunning && isAlike(last, words) ? last : undefined;
}

type Words = Pick<TurnRecord, "destination" | "direct" | "person">;

/** Whether a turn that has not begun may begin with these words, too. */
export function isOpenFor(turn: StoredTurn, words: Words): boolean {
  return turn.state === "queued" && turn.session_id === null && isAlike(turn, words);
}

/** The same place, for somebody of the same role: a peer's words must not ride in a turn of the owner. */
function isAlike(turn: StoredTurn, { destination, direct, person }: Words): boolean {
  if (destination === null || direct || turn.direct === 1) return false;
  const { role } = JSON.parse(turn.person_json) as TurnPerson;
  return role === person.role && turn.conversation === conversationOf(destination);
}

/** A queued turn counts with its messages, so that joining it is bounded, too. */
function* countWaiting(tenantId: string, open: readonly StoredTurn[]): Verb<number> {
  let waiting = 0;
  for (const turn of open) {
    const row = yield* first<{ count: number }>(
      `SELECT count(*) AS count FROM inbox WHERE tenant_id = ? AND turn_id = ? AND state = 'queued' AND taken = 0`,
      [tenantId, turn.id],
    );
    const untaken = row?.count ?? 0;
    waiting += turn.state === "queued" ? Math.max(1, untaken) : untaken;
  }
  return waiting;
}

function* readInputs(tenantId: string, ids: readonly string[]): Verb<Array<StoredInbox | undefined>> {
  const rows: Array<StoredInbox | undefined> = [];
  for (const id of ids) rows.push(yield* findInbox(tenantId, id));
  return rows;
}
