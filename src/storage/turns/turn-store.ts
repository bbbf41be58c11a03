/** Turns: each answers some messages, once. */
import type { Entry } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { acquireAndClaim, claimTurn, findNoInputs, takeInputs } from "./claim-turn.ts";
import { all, atMost, first, type Database, type Verb } from "../sqlite/database.ts";
import { buryTurn, endTurn, parkTurn, recordSteps } from "./end-turn.ts";
import { enqueueTurn } from "./enqueue-turn.ts";
import { entriesOfTurn } from "../sessions/entry-store.ts";
import { inboxOfTurn, toInboxRow } from "../inbox/inbox-row.ts";
import { openTurn } from "../schema/message-schema.ts";
import type { TurnRecord, TurnStore } from "./turns.ts";
import { narrowed } from "../access/narrowed.ts";
import { momentOf } from "../moment.ts";
import { pruneTurns } from "./prune-turns.ts";
import { resumeTurn } from "./resume-turn.ts";
import { abandonTurns, cancelQueued, cancelTurn, dropTurn, reviveTurn } from "./settle-turns.ts";
import { getSession } from "../sessions/session-verbs.ts";
import { readJournal } from "./turn-journal.ts";
import { findTurn, toTurnRecord, turnColumns, type StoredTurn } from "./turn-row.ts";

export function createTurnStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): TurnStore {
  const { database, tenantId } = parts;
  const moment = () => momentOf(parts);
  const write = <Result>(sync: "now" | "later", verb: () => Verb<Result>) => database.write(verb, { sync });
  return {
    enqueue: (request) => write("later", () => enqueueTurn(moment(), request)),
    claim: (request) => write("later", () => claimTurn(moment(), request)),
    acquireAndClaim: (lease, request) => write("later", () => acquireAndClaim(moment(), lease, request)),
    takeInputs: (request) =>
      database.write(() => takeInputs(moment(), request), {
        sync: "later",
        unless: () => findNoInputs(tenantId, request),
      }),
    record: (request) => write(request.sync, () => recordSteps(moment(), request)),
    // It has always changed something, which need not be counted.
    end: (request) => database.write(() => endTurn(moment(), request), { sync: "always" }),
    park: (request) => write("now", () => parkTurn(moment(), request)),
    bury: (turnId, request) => write("now", () => buryTurn(moment(), turnId, request)),
    cancelQueued: (request) => write("now", () => cancelQueued(moment(), request)),
    cancel: (turnId, request) => write("now", () => cancelTurn(moment(), turnId, request)),
    async settleAbandoned(isAlive) {
      const abandoned: string[] = [];
      for (const turn of await database.read(() => listDirect(tenantId)))
        if (!(await isAlive(turn))) abandoned.push(turn.turnId);
      return write("now", () => abandonTurns(moment(), abandoned));
    },
    revive: (turnId) => write("now", () => reviveTurn(tenantId, turnId)),
    resume: (request) => write("later", () => resumeTurn(moment(), request)),
    drop: (turnId) => write("now", () => dropTurn(moment(), turnId)),
    prune: (before, limit) => write("now", () => pruneTurns(tenantId, before, limit)),
    get: (turnId) => database.read(() => getTurn(tenantId, turnId)),
    pending: (query) => database.read(() => pending(tenantId, query)),
    running: (workspaceId, sessionKey) => database.read(() => running(tenantId, workspaceId, sessionKey)),
    list: (query) => database.read(() => list(tenantId, query)),
    async inputs(turnId) {
      return (await database.read(() => inboxOfTurn(tenantId, turnId))).map(toInboxRow);
    },
    journal: (turnId) => database.read(() => readJournal(tenantId, turnId)),
    entries: (turnId) => database.read(() => readEntries(tenantId, turnId)),
    recall: (turnId) => database.read(() => recall(tenantId, turnId)),
  };
}

function* getTurn(tenantId: string, turnId: string): Verb<TurnRecord | undefined> {
  const row = yield* findTurn(tenantId, turnId);
  return row && toTurnRecord(row);
}

function* pending(tenantId: string, query: Parameters<TurnStore["pending"]>[0]): Verb<TurnRecord[]> {
  const rows = yield* all<StoredTurn>(
    `SELECT ${turnColumns} FROM turns WHERE tenant_id = ? AND ${openTurn} AND direct = 0 AND position > ?
    ORDER BY position ${atMost}`,
    [tenantId, query.after ?? 0, Math.max(0, query.limit)],
  );
  return rows.map(toTurnRecord);
}

function* running(tenantId: string, workspaceId: string, sessionKey: string): Verb<TurnRecord | undefined> {
  const row = yield* first<StoredTurn>(
    `SELECT ${turnColumns} FROM turns
    WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND ${openTurn} AND state = 'running'
    ORDER BY position LIMIT 1`,
    [tenantId, workspaceId, sessionKey],
  );
  return row && toTurnRecord(row);
}

function* listDirect(tenantId: string): Verb<TurnRecord[]> {
  const rows = yield* all<StoredTurn>(
    `SELECT ${turnColumns} FROM turns WHERE tenant_id = ? AND ${openTurn} AND direct = 1 ORDER BY position`,
    [tenantId],
  );
  return rows.map(toTurnRecord);
}

function* list(tenantId: string, query: Parameters<TurnStore["list"]>[0]): Verb<TurnRecord[]> {
  const { where, parameters } = narrowed(tenantId, {
    "position <": query.before,
    "session_key =": query.sessionKey,
    "agent_id =": query.agentId,
    state: query.states,
  });
  const rows = yield* all<StoredTurn>(
    `SELECT ${turnColumns} FROM turns WHERE ${where} ORDER BY position DESC LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows.map(toTurnRecord);
}

function* readEntries(tenantId: string, turnId: string): Verb<Entry[]> {
  const turn = yield* findTurn(tenantId, turnId);
  return turn ? yield* entriesOf(tenantId, turn) : [];
}

function* entriesOf(tenantId: string, turn: StoredTurn): Verb<Entry[]> {
  const { id: turnId, session_id: sessionId, first_seq: first, last_seq: last } = turn;
  return sessionId === null || first === null
    ? []
    : yield* entriesOfTurn(tenantId, sessionId, { turnId, first, last });
}

function* recall(tenantId: string, turnId: string): Verb<Awaited<ReturnType<TurnStore["recall"]>>> {
  const turn = yield* findTurn(tenantId, turnId);
  if (!turn) return undefined;
  const session = turn.session_id === null ? undefined : yield* getSession(tenantId, turn.session_id);
  return { turn: toTurnRecord(turn), session, entries: session ? yield* entriesOf(tenantId, turn) : [] };
}
