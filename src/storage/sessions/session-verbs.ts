/** Creates sessions and makes small changes to their records: verbs that others compose. */
import { first, type Verb } from "../sqlite/database.ts";
import { appendEntries, sessionNotFound } from "./entry-store.ts";
import { readView } from "./entry-view.ts";
import { endingEvent, firstEntries, memoryEvent, newSession, resumingEvent } from "./session-index.ts";
import { insertSession, sessionColumns, toSessionRecord, type SessionRow } from "./session-row.ts";
import type { OpenSession, SessionRecord, SessionStore, TokenCounters } from "../stores.ts";

/** What a new session needs. */
export interface Birth {
  tenantId: string;
  sessionId: string;
  request: OpenSession;
  now: string;
}

type Opened = Awaited<ReturnType<SessionStore["open"]>>;

export function* findOpen(
  tenantId: string,
  workspaceId: string,
  sessionKey: string,
): Verb<Opened | undefined> {
  const session = yield* findActive(tenantId, workspaceId, sessionKey);
  return session && { session, created: false };
}

export function* openSession(birth: Birth): Verb<Opened> {
  const { workspaceId, sessionKey } = birth.request;
  const found = yield* findOpen(birth.tenantId, workspaceId, sessionKey);
  return found ?? { session: yield* createSession(birth, false), created: true };
}

export function* openNewSession(
  birth: Birth,
  carry?: Carry,
): Verb<Awaited<ReturnType<SessionStore["openNew"]>>> {
  const { tenantId, now, request } = birth;
  const active = yield* findActive(tenantId, request.workspaceId, request.sessionKey);
  if (!active) return { session: yield* createSession(birth, false), ended: undefined };
  yield* appendEntries({ tenantId, sessionId: active.sessionId, bodies: [endingEvent], time: now });
  const session = yield* createSession(birth, active.memoryEnabled);
  const ended = yield* requireSession(tenantId, active.sessionId);
  const { sessionId } = session;
  const carried = carry ? yield* carryInto({ tenantId, sessionId, ended, time: now }, carry) : 0;
  return { session: carried > 0 ? yield* requireSession(tenantId, sessionId) : session, ended };
}

/** Ends the one that is active instead, if any. */
export function* resumeSession(
  tenantId: string,
  sessionId: string,
  time: string,
): Verb<Awaited<ReturnType<SessionStore["resume"]>>> {
  const session = yield* requireSession(tenantId, sessionId);
  if (session.state === "active") return { session, ended: undefined };
  const active = yield* findActive(tenantId, session.workspaceId, session.sessionKey);
  if (active) {
    const { sessionId: other } = active;
    yield* appendEntries({ tenantId, sessionId: other, bodies: [endingEvent], time });
  }
  yield* appendEntries({ tenantId, sessionId, bodies: [resumingEvent], time });
  return {
    session: yield* requireSession(tenantId, sessionId),
    ended: active && (yield* requireSession(tenantId, active.sessionId)),
  };
}

type Carry = NonNullable<Parameters<SessionStore["openNew"]>[1]>;

/** How many messages of the last session are considered for the new one. */
const mostCarried = 60;

/** How many entries the new session begins with. */
export function* carryInto(
  {
    tenantId,
    sessionId,
    ended,
    time,
  }: { tenantId: string; sessionId: string; ended: SessionRecord; time: string },
  carry: Carry,
): Verb<number> {
  const query = { before: ended.lastSeq + 1, limit: mostCarried };
  const { mark, said } = yield* readView(tenantId, ended.sessionId, query);
  const body = carry({ session: ended, mark, said });
  if (!body) return 0;
  yield* appendEntries({ tenantId, sessionId, bodies: [body], time });
  return 1;
}

function* createSession(birth: Birth, memoryEnabled: boolean): Verb<SessionRecord> {
  const session = newSession(birth);
  yield* insertSession(session, 0);
  yield* appendEntries({
    tenantId: birth.tenantId,
    sessionId: birth.sessionId,
    bodies: firstEntries(session, birth.request.cwd, memoryEnabled),
    time: birth.now,
  });
  return yield* requireSession(birth.tenantId, birth.sessionId);
}

export function* findActive(
  tenantId: string,
  workspaceId: string,
  sessionKey: string,
): Verb<SessionRecord | undefined> {
  const row = yield* first<SessionRow>(
    `SELECT ${sessionColumns} FROM sessions
    WHERE tenant_id = ? AND workspace_id = ? AND session_key = ? AND state = 'active'`,
    [tenantId, workspaceId, sessionKey],
  );
  return row && toSessionRecord(row);
}

export function* getSession(tenantId: string, sessionId: string): Verb<SessionRecord | undefined> {
  const row = yield* first<SessionRow>(
    `SELECT ${sessionColumns} FROM sessions WHERE tenant_id = ? AND id = ?`,
    [tenantId, sessionId],
  );
  return row && toSessionRecord(row);
}

export function* switchMemory(work: {
  tenantId: string;
  sessionId: string;
  enabled: boolean;
  time: string;
}): Verb<SessionRecord> {
  const { tenantId, sessionId, enabled, time } = work;
  const session = yield* requireSession(tenantId, sessionId);
  if (session.memoryEnabled === enabled) return session;
  yield* appendEntries({ tenantId, sessionId, bodies: [memoryEvent(enabled)], time });
  return yield* requireSession(tenantId, sessionId);
}

export function* addTokens(tenantId: string, sessionId: string, tokens: TokenCounters): Verb<SessionRecord> {
  const row = yield* first<SessionRow>(
    `UPDATE sessions SET tokens_input = tokens_input + ?, tokens_output = tokens_output + ?,
      tokens_context = ?, tokens_total = tokens_total + ?
    WHERE tenant_id = ? AND id = ? RETURNING ${sessionColumns}`,
    [tokens.input, tokens.output, tokens.context, tokens.total, tenantId, sessionId],
  );
  if (!row) throw sessionNotFound(sessionId);
  return toSessionRecord(row);
}

export function* requireSession(tenantId: string, sessionId: string): Verb<SessionRecord> {
  const session = yield* getSession(tenantId, sessionId);
  if (!session) throw sessionNotFound(sessionId);
  return session;
}
