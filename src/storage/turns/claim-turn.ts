/** How a turn begins, or goes on after its process ended. */
import type { Entry } from "@pincer/sdk";
import { change, type Verb } from "../sqlite/database.ts";
import { appendEntries, appendToSession, entriesOfTurn } from "../sessions/entry-store.ts";
import { takeInbox, toInboxRow } from "../inbox/inbox-row.ts";
import { acquireLease, requireLease } from "../sessions/lease-store.ts";
import type { BegunCall, ClaimOutcome, ClaimTurn, SetAsidePlace, TurnStore, TurnRecord } from "./turns.ts";
import type { Moment } from "../moment.ts";
import {
  carryInto,
  findActive,
  getSession,
  openNewSession,
  openSession,
  requireSession,
  switchMemory,
} from "../sessions/session-verbs.ts";
import { isWithin, readAsides, setAsideFrom } from "../set-aside.ts";
import type { AcquireLease, SessionRecord } from "../stores.ts";
import { addStep, readBegunCalls } from "./turn-journal.ts";
import { findTurn, requireHearing, requireRunning, toTurnRecord, type StoredTurn } from "./turn-row.ts";

export function* claimTurn(moment: Moment, request: ClaimTurn): Verb<ClaimOutcome> {
  yield* requireLease(moment.tenantId, request.fence);
  return yield* claimUnder(moment, request);
}

export function* acquireAndClaim(
  moment: Moment,
  lease: AcquireLease,
  request: Omit<ClaimTurn, "fence">,
): Verb<Awaited<ReturnType<TurnStore["acquireAndClaim"]>>> {
  const outcome = yield* acquireLease(moment.tenantId, lease, moment.now);
  if (outcome.type === "held") return outcome;
  return { ...outcome, claim: yield* claimUnder(moment, { ...request, fence: outcome.fence }) };
}

function* claimUnder(moment: Moment, request: ClaimTurn): Verb<ClaimOutcome> {
  const { tenantId, now } = moment;
  const { turnId, fence } = request;
  const turn = yield* findTurn(tenantId, turnId);
  if (!turn || !(turn.state === "queued" || turn.state === "running"))
    return { type: "over", turn: turn && toTurnRecord(turn) };

  const { session, firstSeq, ended, entries, begunCalls } =
    (yield* goOn(tenantId, turn)) ?? (yield* begin(moment, turn, request));
  // Within one transaction nobody else writes it: what it is then needs no reading.
  const claimed: StoredTurn = {
    ...turn,
    state: "running",
    session_id: session.sessionId,
    first_seq: firstSeq,
    claims: turn.claims + (request.again ? 0 : 1),
    fence_name: fence.name,
    fencing: fence.fencing,
    deadline_at: request.deadlineAt,
    started_at: turn.started_at ?? now,
  };
  yield* change(
    `UPDATE turns SET state = 'running', session_id = ?, first_seq = ?, claims = ?, fence_name = ?, fencing = ?,
      deadline_at = ?, started_at = ?
    WHERE tenant_id = ? AND id = ?`,
    [
      claimed.session_id,
      claimed.first_seq,
      claimed.claims,
      claimed.fence_name,
      claimed.fencing,
      claimed.deadline_at,
      claimed.started_at,
      tenantId,
      turnId,
    ],
  );
  yield* addStep(tenantId, turnId, { step: { type: "claimed", claims: claimed.claims }, time: now });
  return {
    type: "claimed",
    turn: toTurnRecord(claimed),
    session,
    ended,
    entries,
    begunCalls,
  };
}

/** What came in for the running turn since it began. */
export function* takeInputs(moment: Moment, request: Parameters<TurnStore["takeInputs"]>[0]): Verb<Entry[]> {
  const { tenantId, now } = moment;
  const { turnId, fence, entriesFor } = request;
  const turn = yield* requireRunning(tenantId, turnId, fence);
  const inputs = yield* takeInbox(tenantId, turnId, "untaken");
  if (inputs.length === 0) return [];
  const step = { type: "steered" as const, inputs: inputs.map((row) => row.id) };
  yield* addStep(tenantId, turnId, { step, time: now });
  const bodies = entriesFor(inputs.map(toInboxRow));
  if (bodies.length === 0) return [];
  return yield* appendEntries({ tenantId, sessionId: turn.session_id, bodies, time: now, turnId });
}

/** The usual case, which needs no write lock: an empty answer where there is nothing to take up. */
export function* findNoInputs(
  tenantId: string,
  { turnId, fence }: Pick<ClaimTurn, "turnId" | "fence">,
): Verb<[] | undefined> {
  const { hasUntaken } = yield* requireHearing(tenantId, turnId, fence);
  return hasUntaken ? undefined : [];
}

interface Beginning {
  /** As it is now. */
  session: SessionRecord;
  firstSeq: number;
  ended: SessionRecord | undefined;
  entries: Entry[];
  begunCalls: BegunCall[];
}

/** Undefined when it has not begun, or when its session was deleted since: then it begins anew. */
function* goOn(
  tenantId: string,
  { id: turnId, session_id: sessionId, first_seq: firstSeq }: StoredTurn,
): Verb<Beginning | undefined> {
  if (sessionId === null || firstSeq === null) return undefined;
  const session = yield* getSession(tenantId, sessionId);
  if (!session) return undefined;
  return {
    session,
    firstSeq,
    ended: undefined,
    entries: yield* entriesOfTurn(tenantId, sessionId, { turnId, first: firstSeq }),
    begunCalls: yield* readBegunCalls(tenantId, turnId),
  };
}

function* begin(moment: Moment, turn: StoredTurn, request: ClaimTurn): Verb<Beginning> {
  const { tenantId, now } = moment;
  const record = toTurnRecord(turn);
  const { options } = record;
  const { session, ended } = yield* openFor(moment, record, request.isStale);
  const { sessionId } = session;
  const enabled = options["memory"] ?? request.memory;
  const ready =
    typeof enabled === "boolean" ? yield* switchMemory({ tenantId, sessionId, enabled, time: now }) : session;
  const { carry } = request;
  const isAsked = options["newSession"] === true;
  const carried =
    ended && carry
      ? yield* carryInto({ tenantId, sessionId, ended, time: now }, (last) => carry({ ...last, isAsked }))
      : 0;
  const asides = yield* setAside(moment, turn.id, options, ready);
  const earlier = request.earlier ?? [];
  if (earlier.length > 0) yield* appendEntries({ tenantId, sessionId, bodies: earlier, time: now });
  const inputs = (yield* takeInbox(tenantId, turn.id, "all")).map(toInboxRow);
  const bodies = request.entriesFor(inputs);
  const written =
    bodies.length === 0
      ? { entries: [], session: yield* requireSession(tenantId, sessionId) }
      : yield* appendToSession({ tenantId, sessionId, bodies, time: now, turnId: turn.id });
  return {
    ...written,
    firstSeq: ready.lastSeq + carried + asides + earlier.length + 1,
    ended,
    begunCalls: [],
  };
}

/** The turn goes back to before an entry of its session. Entries that are superseded already are left as they are; another session has none of them. */
function* setAside(
  { tenantId, now }: Moment,
  turnId: string,
  options: TurnRecord["options"],
  { sessionId, lastSeq }: SessionRecord,
): Verb<number> {
  const place = options["setAside"] as SetAsidePlace | undefined;
  if (!place || place.sessionId !== sessionId || place.from > lastSeq) return 0;
  if (isWithin(yield* readAsides(tenantId, sessionId), place.from)) return 0;
  yield* appendEntries({ tenantId, sessionId, bodies: [setAsideFrom(place.from, turnId)], time: now });
  return 1;
}

function* openFor(
  { tenantId, now, ids }: Moment,
  turn: TurnRecord,
  isStale: ClaimTurn["isStale"],
): Verb<{ session: SessionRecord; ended: SessionRecord | undefined }> {
  const { workspaceId, agentId, sessionKey, origin, cwd, options } = turn;
  const request = { workspaceId, agentId, sessionKey, origin, cwd };
  const birth = { tenantId, sessionId: ids.make("s"), request, now };
  const active = yield* findActive(tenantId, workspaceId, sessionKey);
  if (options["newSession"] === true || (active && isStale(active))) return yield* openNewSession(birth);
  return { session: active ?? (yield* openSession(birth)).session, ended: undefined };
}
