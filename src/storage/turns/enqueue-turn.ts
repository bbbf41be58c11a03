/** How messages become turns, or part of one that is there. */
import { conversationOf } from "@pincer/sdk";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import { findInbox, type StoredInbox } from "../inbox/inbox-row.ts";
import { openTurn } from "../schema/message-schema.ts";
import type { EnqueueOutcome, EnqueueTurn, TurnPerson, TurnRecord } from "./turns.ts";
import type { Moment } from "../moment.ts";
import { insertTurn, toTurnRecord, turnColumns, type StoredTurn } from "./turn-row.ts";

export function* enqueueTurn(moment: Moment, request: EnqueueTurn): Verb<EnqueueOutcome> {
  return yield* enqueue(moment, request, yield* readInputs(moment.tenantId, request.inputs));
}

/** `inputs` as they are stored. */
function* enqueue(
  moment: Moment,
  request: EnqueueTurn,
  inputs: ReadonlyArray<Pick<StoredInbox, "state" | "turn_id"> | undefined>,
): Verb<EnqueueOutcome> {
  const { tenantId } = moment;
  const settled = inputs.find((row) => row?.state !== "new" && row?.state !== "context");
  const hasNew = inputs.some((row) => row?.state === "new");
  if (settled || !hasNew || inputs.includes(undefined))
    return { type: "settled", turnId: settled?.turn_id ?? null };

  const outcome = yield* findPlace(moment, request, inputs.length);
  if (outcome.type === "joined") yield* attach(tenantId, outcome.turn.turnId, request.inputs);
  if (outcome.type === "queued") yield* handOver(tenantId, outcome.turn.turnId, request.inputs);
  return outcome;
}

/** Which turn messages become or join, where there is room; they are the caller's to hand over. */
function* findPlace(
  moment: Moment,
  request: Omit<EnqueueTurn, "inputs">,
  inputs: number,
): Verb<Exclude<EnqueueOutcome, { type: "settled" }>> {
  const { tenantId } = moment;
  const queue = yield* measureQueue(tenantId, request.session);
  if (queue.waiting >= request.cap) return { type: "full", waiting: queue.waiting };

  const joined = yield* turnToJoin(tenantId, request);
  if (joined) return { type: "joined", turn: toTurnRecord(joined) };
  const { destination, person, rule, options, replyTo = null, direct = false } = request;
  const made = yield* insertTurn(
    moment,
    { ...request.session, destination, person, rule, options, replyTo, direct },
    { inputs },
  );
  const { open, running } = queue;
  const interrupts = request.mode === "interrupt" && running !== null ? { interrupts: running } : {};
  return { type: "queued", turn: toTurnRecord(made), ahead: open, ...interrupts };
}

/** To a turn that counts them already. */
function* handOver(tenantId: string, turnId: string, inputs: readonly string[]): Verb<void> {
  for (const id of inputs)
    yield* change(
      "UPDATE inbox SET state = 'queued', turn_id = ?, taken = 0, asked_json = NULL WHERE tenant_id = ? AND id = ?",
      [turnId, tenantId, id],
    );
}

/** Gives messages to a turn that has not begun with them. */
export function* attach(tenantId: string, turnId: string, inputs: readonly string[]): Verb<void> {
  yield* handOver(tenantId, turnId, inputs);
  yield* change("UPDATE turns SET inputs = inputs + ? WHERE tenant_id = ? AND id = ?", [
    inputs.length,
    tenantId,
    turnId,
  ]);
}

type SessionPlace = Pick<EnqueueTurn["session"], "workspaceId" | "sessionKey">;

/** Queued and running turns of a session, or of one conversation in it, in order. */
export function* openTurnsOf(
  tenantId: string,
  { workspaceId, sessionKey }: SessionPlace,
  conversation?: string,
): Verb<StoredTurn[]> {
  const meant = conversation === undefined ? "" : "AND conversation = ?";
  return yield* all<StoredTurn>(
    `SELECT ${turnColumns} FROM turns
    WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND ${openTurn} ${meant} ORDER BY position`,
    [tenantId, workspaceId, sessionKey, ...(conversation === undefined ? [] : [conversation])],
  );
}

/** Parked ones of a session, or of one conversation in it, in order. */
export function* waitingTurnsOf(
  tenantId: string,
  { workspaceId, sessionKey }: SessionPlace,
  conversation?: string,
): Verb<StoredTurn[]> {
  const meant = conversation === undefined ? "" : "AND conversation = ?";
  return yield* all<StoredTurn>(
    `SELECT ${turnColumns} FROM turns
    WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND state = 'waiting' ${meant} ORDER BY position`,
    [tenantId, workspaceId, sessionKey, ...(conversation === undefined ? [] : [conversation])],
  );
}

/**
 * The last one of the same conversation, so that nothing overtakes: where it is queued it begins with the message, where it runs and the
 * mode is to steer it takes it up on the way.
 */
function* turnToJoin(tenantId: string, request: Omit<EnqueueTurn, "inputs">): Verb<StoredTurn | undefined> {
  const { mode, session, destination, direct = false, person, joins } = request;
  if (!(mode === "steer" || mode === "collect")) return undefined;
  if (destination === null && joins !== "person") return undefined;
  const last = yield* first<StoredTurn>(
    `SELECT ${turnColumns} FROM turns
    WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND ${openTurn} AND conversation = ?
    ORDER BY position DESC LIMIT 1`,
    [tenantId, session.workspaceId, session.sessionKey, destination ? conversationOf(destination) : ""],
  );
  if (!last) return undefined;
  if (destination === null) return !direct && isOfSamePerson(last, person, mode) ? last : undefined;
  const words = { destination, direct, person };
  if (isOpenFor(last, words)) return last;
  return mode === "steer" && isSteerable(last) && isAlike(last, words) ? last : undefined;
}

/** The caller reads an answer that goes nowhere, so no other sender's messages join that turn. */
function isOfSamePerson(turn: StoredTurn, person: TurnPerson, mode: EnqueueTurn["mode"]): boolean {
  const { role, id } = JSON.parse(turn.person_json) as TurnPerson;
  if (turn.direct === 1 || role !== person.role || id !== person.id) return false;
  const isUnbegun = turn.state === "queued" && turn.session_id === null && !isAlone(turn);
  return isUnbegun || (mode === "steer" && isSteerable(turn));
}

const isAlone = (turn: StoredTurn): boolean => {
  const { alone, dryRun } = JSON.parse(turn.options_json) as { alone?: boolean; dryRun?: boolean };
  return alone === true || dryRun === true;
};

/** Takes up what is said meanwhile. What is said during a dry run is meant. */
const isSteerable = (turn: StoredTurn): boolean =>
  turn.state === "running" && (JSON.parse(turn.options_json) as { dryRun?: boolean }).dryRun !== true;

type Words = Pick<TurnRecord, "destination" | "direct" | "person">;

/** Whether a turn that has not begun may begin with these words, too. */
export function isOpenFor(turn: StoredTurn, words: Words): boolean {
  return turn.state === "queued" && turn.session_id === null && !isAlone(turn) && isAlike(turn, words);
}

/** The same place, for somebody of the same role: a peer's words must not ride in a turn of the owner. */
function isAlike(turn: StoredTurn, { destination, direct, person }: Words): boolean {
  if (destination === null || direct || turn.direct === 1) return false;
  const { role } = JSON.parse(turn.person_json) as TurnPerson;
  return role === person.role && turn.conversation === conversationOf(destination);
}

interface Queue {
  /** How many turns are queued or running. */
  open: number;
  /** A queued turn counts with its messages, so that joining it is bounded, too. */
  waiting: number;
  running: string | null;
}

function* measureQueue(tenantId: string, { workspaceId, sessionKey }: SessionPlace): Verb<Queue> {
  const queue = yield* first<Queue>(
    `SELECT count(*) AS open, max(CASE WHEN state = 'running' THEN id END) AS running,
      coalesce(sum(CASE WHEN state = 'running' THEN 0 WHEN inputs > 1 THEN inputs ELSE 1 END), 0) AS waiting
    FROM turns WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND ${openTurn}`,
    [tenantId, workspaceId, sessionKey],
  );
  const { open = 0, waiting = 0, running = null } = queue ?? {};
  if (running === null) return { open, waiting, running };
  const untaken = yield* first<{ count: number }>(
    "SELECT count(*) AS count FROM inbox WHERE tenant_id = ? AND turn_id = ? AND state = 'queued' AND taken = 0",
    [tenantId, running],
  );
  return { open, waiting: waiting + (untaken?.count ?? 0), running };
}

function* readInputs(tenantId: string, ids: readonly string[]): Verb<Array<StoredInbox | undefined>> {
  const rows: Array<StoredInbox | undefined> = [];
  for (const id of ids) rows.push(yield* findInbox(tenantId, id));
  return rows;
}
