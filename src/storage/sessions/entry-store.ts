/** The entries of sessions: append-only, except for deleting a session. */
import type { Entry, EntryBody, PincerError } from "@pincer/sdk";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { all, atMost, change, first, type Database, type Verb } from "../sqlite/database.ts";
import { toEntry, type EntryRow } from "./entry-row.ts";
import { searchEntries } from "./entry-search.ts";
import { noteMark, readAt, readMarks, readMessagesFrom, readView } from "./entry-view.ts";
import { createKeptEntries } from "./kept-entries.ts";
import { requireLease } from "./lease-store.ts";
import { gainOf, withSettings, type IndexGain } from "./session-index.ts";
import { readAsides } from "../set-aside.ts";
import { sessionColumns, toSessionRecord, type SessionRow } from "./session-row.ts";
import type { EntryStore, Fence, SessionRecord, TokenCounters } from "../stores.ts";

export function createEntryStore({
  database,
  clock,
  tenantId,
}: {
  database: Database;
  clock: Clock;
  tenantId: string;
}): EntryStore {
  const kept = createKeptEntries();
  return {
    async append(sessionId, bodies, fence) {
      if (bodies.length === 0) return [];
      const work = { tenantId, sessionId, bodies, time: timestamp(clock), fence };
      return database.write(() => appendEntries(work), { sync: "now" });
    },
    recent: (sessionId, limit) => database.read(() => readRecent(tenantId, sessionId, limit)),
    before: (sessionId, before, limit) => database.read(() => readBefore(tenantId, sessionId, before, limit)),
    after: (sessionId, after, limit) => database.read(() => readAfter(tenantId, sessionId, after, limit)),
    view: (sessionId, query) => database.read(() => readView(tenantId, sessionId, query, kept)),
    messagesFrom: (sessionId, from, limit) =>
      database.read(() => readMessagesFrom(tenantId, sessionId, from, limit)),
    asides: (sessionId) => database.read(() => readAsides(tenantId, sessionId)),
    at: (sessionId, seq) => database.read(() => readAt(tenantId, sessionId, seq)),
    marks: (sessionId, limit) => database.read(() => readMarks(tenantId, sessionId, limit)),
    search: (sessionId, query) => searchEntries({ database, tenantId }, sessionId, query),
  };
}

export interface Appending {
  tenantId: string;
  sessionId: string;
  bodies: readonly EntryBody[];
  time: string;
  fence?: Fence | undefined;
  /** The turn that they belong to, whatever they say themselves. */
  turnId?: string | undefined;
  /** The tokens they cost, added to the session's counters. */
  tokens?: TokenCounters | undefined;
}

/** Appends and updates the session's record. Throws `session/not-found` and `session/lost-lease`. */
export function* appendEntries(work: Appending): Verb<Entry[]> {
  return (yield* append(work, "seq")).entries;
}

/** The same, and returns the updated session. */
export function* appendToSession(work: Appending): Verb<{ entries: Entry[]; session: SessionRecord }> {
  const { entries, row, isSettled } = yield* append(work, "record");
  const { tenantId, sessionId } = work;
  const session = isSettled
    ? row
    : yield* first<SessionRow>(`SELECT ${sessionColumns} FROM sessions WHERE tenant_id = ? AND id = ?`, [
        tenantId,
        sessionId,
      ]);
  if (!session) throw sessionNotFound(sessionId);
  return { entries, session: toSessionRecord(session) };
}

/** `row` holds the requested columns, as they stay if it `isSettled`. */
function* append(
  { tenantId, sessionId, time, fence, turnId, tokens, ...work }: Appending,
  wanted: UpdateShape["wanted"],
): Verb<{ entries: Entry[]; row: SessionRow; isSettled: boolean }> {
  if (fence) yield* requireLease(tenantId, fence);

  const bodies = work.bodies.map((body) => ({ ...body, time }));
  const gain = gainOf(bodies);
  const session = yield* first<SessionRow>(
    updateSession({ state: stateIn(gain), counted: tokens !== undefined, wanted }),
    [
      ...(tokens ? [tokens.input, tokens.output, tokens.context, tokens.total] : []),
      bodies.length,
      bodies.length,
      gain.messages,
      gain.compactions,
      gain.memoryEnabled === null ? null : Number(gain.memoryEnabled),
      gain.memoryFlushAt,
      time,
      tenantId,
      sessionId,
    ],
  );
  if (!session) throw sessionNotFound(sessionId);

  const firstSeq = session.last_seq - bodies.length + 1;
  const entries: Entry[] = bodies.map((body, index) => Object.assign(body, { seq: firstSeq + index }));
  for (const entry of entries) yield* insertEntry(tenantId, sessionId, entry, turnId);
  if (Object.keys(gain.settings).length > 0) yield* noteSettings(tenantId, sessionId, gain.settings);
  if (gain.keepFrom !== null) yield* countCompacted(tenantId, sessionId, gain.keepFrom);
  const isSettled = Object.keys(gain.settings).length === 0 && gain.keepFrom === null;
  return { entries, row: session, isSettled };
}

// Mentioning `state` at all, with any value, would rewrite the index of active sessions with every message.
const setState = { ended: "state = 'ended', ", active: "state = 'active', ", same: "" };
const addCounters = `tokens_input = tokens_input + ?, tokens_output = tokens_output + ?, tokens_context = ?,
  tokens_total = tokens_total + ?, `;

/** What else an update sets, and what it returns. */
interface UpdateShape {
  state: keyof typeof setState;
  counted: boolean;
  wanted: "seq" | "record";
}

const stateIn = ({ ended }: IndexGain): UpdateShape["state"] =>
  ended === null ? "same" : ended ? "ended" : "active";

const updates: Record<UpdateShape["state"], string[]> = { ended: [], active: [], same: [] };

/** Built once per shape: a freshly composed string must be scanned before its statement is found. */
const updateSession = (shape: UpdateShape): string =>
  (updates[shape.state][Number(shape.counted) + 2 * Number(shape.wanted === "record")] ??=
    writeUpdate(shape));

const writeUpdate = ({ state, counted, wanted }: UpdateShape): string =>
  `UPDATE sessions SET ${setState[state]}${counted ? addCounters : ""}
      last_seq = last_seq + ?,
      entry_count = entry_count + ?,
      message_count = message_count + ?,
      compaction_count = compaction_count + ?,
      memory_enabled = coalesce(?, memory_enabled),
      memory_flush_at = coalesce(?, memory_flush_at),
      updated_at = ?
    WHERE tenant_id = ? AND id = ?
    RETURNING ${wanted === "record" ? sessionColumns : "last_seq"}`;

export function* insertEntry(tenantId: string, sessionId: string, entry: Entry, turnId?: string): Verb<void> {
  const { seq, time, ...body } = entry;
  const message = body.type === "message" ? body : undefined;
  yield* change(
    `INSERT INTO entries (tenant_id, session_id, seq, type, role, run_id, time, body_json)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tenantId,
      sessionId,
      seq,
      body.type,
      message?.message.role ?? null,
      turnId ?? message?.runId ?? null,
      time,
      JSON.stringify(body),
    ],
  );
  yield* noteMark(tenantId, sessionId, seq, body);
}

export function sessionNotFound(sessionId: string): PincerError {
  return failure(
    "session/not-found",
    "failure.no-session",
    { id: sessionId },
    { hint: "failure.no-session.hint" },
  );
}

function* noteSettings(
  tenantId: string,
  sessionId: string,
  changes: Record<string, string | null>,
): Verb<void> {
  const row = yield* first<{ settings_json: string }>(
    "SELECT settings_json FROM sessions WHERE tenant_id = ? AND id = ?",
    [tenantId, sessionId],
  );
  const settings = JSON.parse(row?.settings_json ?? "{}") as Record<string, string>;
  yield* change("UPDATE sessions SET settings_json = ? WHERE tenant_id = ? AND id = ?", [
    JSON.stringify(withSettings(settings, changes)),
    tenantId,
    sessionId,
  ]);
}

function* countCompacted(tenantId: string, sessionId: string, keepFrom: number): Verb<void> {
  yield* change(
    `UPDATE sessions SET compacted_message_count = (
      SELECT count(*) FROM entries
      WHERE tenant_id = ? AND session_id = ? AND seq < ? AND type = 'message'
    ) WHERE tenant_id = ? AND id = ?`,
    [tenantId, sessionId, keepFrom, tenantId, sessionId],
  );
}

function* readRecent(tenantId: string, sessionId: string, limit: number): Verb<Entry[]> {
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? ORDER BY seq DESC ${atMost}`,
    [tenantId, sessionId, Math.max(0, limit)],
  );
  return rows.reverse().map(toEntry);
}

function* readBefore(tenantId: string, sessionId: string, before: number, limit: number): Verb<Entry[]> {
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq < ? ORDER BY seq DESC ${atMost}`,
    [tenantId, sessionId, before, Math.max(0, limit)],
  );
  return rows.reverse().map(toEntry);
}

function* readAfter(tenantId: string, sessionId: string, after: number, limit: number): Verb<Entry[]> {
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq > ? ORDER BY seq ${atMost}`,
    [tenantId, sessionId, after, Math.max(0, limit)],
  );
  return rows.map(toEntry);
}

/** The entries of one turn, in order. They lie between two seqs; without a last one, up to the end. */
export function* entriesOfTurn(
  tenantId: string,
  sessionId: string,
  turn: { turnId: string; first: number; last?: number | null },
): Verb<Entry[]> {
  const rows = yield* all<EntryRow>(
    `SELECT seq, time, body_json FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq BETWEEN ? AND ? AND run_id = ? ORDER BY seq`,
    [tenantId, sessionId, turn.first, turn.last ?? Number.MAX_SAFE_INTEGER, turn.turnId],
  );
  return rows.map(toEntry);
}
