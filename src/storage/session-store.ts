/** Sessions: the small records that the entries belong to. */
import type { Entry } from "@pincer/sdk";
import { timestamp, type Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import { insertAudit } from "./audit-store.ts";
import { all, change, first, type Database, type SqlValue, type Verb } from "./database.ts";
import { deletionRecord } from "./deletion-record.ts";
import { appendEntries, insertEntry, sessionNotFound } from "./entry-store.ts";
import { foldCase, formatCursor, pageLimit, parseCursor } from "./session-cursor.ts";
import { endingEvent, firstEntries, memoryEvent, newSession, sessionFromEntries } from "./session-index.ts";
import { insertSession, sessionColumns, toSessionRecord, type SessionRow } from "./session-row.ts";
import type {
  AuditRecord,
  OpenSession,
  SessionPage,
  SessionRecord,
  SessionStore,
  TokenCounters,
} from "./stores.ts";

export function createSessionStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
}): SessionStore {
  const { database, clock, ids, tenantId } = parts;
  const birth = (request: OpenSession): Birth => ({
    tenantId,
    request,
    sessionId: ids.make("s"),
    now: timestamp(clock),
  });
  return {
    open(request) {
      const { workspaceId, sessionKey } = request;
      return database.write(() => open(birth(request)), {
        sync: "now",
        unless: () => findOpen(tenantId, workspaceId, sessionKey),
      });
    },
    openNew: (request) => database.write(() => openNew(birth(request)), { sync: "now" }),
    findActive: (workspaceId, sessionKey) =>
      database.read(() => findActive(tenantId, workspaceId, sessionKey)),
    get: (sessionId) => database.read(() => get(tenantId, sessionId)),
    async list(query) {
      return database.read(() => list(tenantId, query));
    },
    switchMemory(sessionId, enabled) {
      const time = timestamp(clock);
      return database.write(() => switchMemory({ tenantId, sessionId, enabled, time }), { sync: "now" });
    },
    addTokens: (sessionId, tokens) =>
      database.write(() => addTokens(tenantId, sessionId, tokens), { sync: "later" }),
    listUnmirrored: (limit) => database.read(() => listUnmirrored(tenantId, limit)),
    markMirrored: (sessionId, seq) =>
      database.write(() => markMirrored(tenantId, sessionId, seq), { sync: "later" }),
    async delete(sessionId, actor) {
      const trace = { id: ids.make("a"), actor, createdAt: timestamp(clock) };
      const deleted = await database.write(() => remove(tenantId, sessionId, trace), { sync: "now" });
      if (deleted) await database.forgetDeleted();
      return deleted;
    },
    async restore(entries) {
      const session = sessionFromEntries(tenantId, entries);
      return database.write(() => restore(session, entries), { sync: "now" });
    },
  };
}

/** What a session needs to come into being. */
interface Birth {
  tenantId: string;
  sessionId: string;
  request: OpenSession;
  now: string;
}

type Opened = Awaited<ReturnType<SessionStore["open"]>>;

function* findOpen(tenantId: string, workspaceId: string, sessionKey: string): Verb<Opened | undefined> {
  const session = yield* findActive(tenantId, workspaceId, sessionKey);
  return session && { session, created: false };
}

function* open(birth: Birth): Verb<Opened> {
  const { workspaceId, sessionKey } = birth.request;
  const found = yield* findOpen(birth.tenantId, workspaceId, sessionKey);
  return found ?? { session: yield* create(birth, false), created: true };
}

function* openNew(birth: Birth): Verb<Awaited<ReturnType<SessionStore["openNew"]>>> {
  const { tenantId, now, request } = birth;
  const active = yield* findActive(tenantId, request.workspaceId, request.sessionKey);
  if (!active) return { session: yield* create(birth, false), ended: undefined };
  yield* appendEntries({ tenantId, sessionId: active.sessionId, bodies: [endingEvent], time: now });
  const session = yield* create(birth, active.memoryEnabled);
  return { session, ended: yield* require(tenantId, active.sessionId) };
}

function* create(birth: Birth, memoryEnabled: boolean): Verb<SessionRecord> {
  const session = newSession(birth);
  yield* insertSession(session, 0);
  yield* appendEntries({
    tenantId: birth.tenantId,
    sessionId: birth.sessionId,
    bodies: firstEntries(session, birth.request.cwd, memoryEnabled),
    time: birth.now,
  });
  return yield* require(birth.tenantId, birth.sessionId);
}

function* findActive(
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

function* get(tenantId: string, sessionId: string): Verb<SessionRecord | undefined> {
  const row = yield* first<SessionRow>(
    `SELECT ${sessionColumns} FROM sessions WHERE tenant_id = ? AND id = ?`,
    [tenantId, sessionId],
  );
  return row && toSessionRecord(row);
}

function* list(tenantId: string, query: Parameters<SessionStore["list"]>[0]): Verb<SessionPage> {
  const conditions = ["tenant_id = ?"];
  const parameters: SqlValue[] = [tenantId];
  const require = (condition: string, ...values: string[]) => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (query.agentId !== undefined) require("agent_id = ?", query.agentId);
  if (query.search !== undefined) {
    const pattern = foldCase(query.search).replace(/[\\%_]/g, "\\$&");
    require("lower(session_key) LIKE ? ESCAPE '\\'", `%${pattern}%`);
  }
  if (query.after !== undefined) {
    const { updatedAt, sessionId } = parseCursor(query.after);
    require("(updated_at, id) < (?, ?)", updatedAt, sessionId);
  }
  const limit = Math.min(Math.max(1, query.limit), pageLimit);
  const rows = yield* all<SessionRow>(
    `SELECT ${sessionColumns} FROM sessions WHERE ${conditions.join(" AND ")}
    ORDER BY updated_at DESC, id DESC LIMIT ?`,
    [...parameters, limit + 1],
  );
  const sessions = rows.slice(0, limit).map(toSessionRecord);
  const last = sessions.at(-1);
  return { sessions, next: rows.length > limit && last ? formatCursor(last) : null };
}

function* switchMemory(work: {
  tenantId: string;
  sessionId: string;
  enabled: boolean;
  time: string;
}): Verb<SessionRecord> {
  const { tenantId, sessionId, enabled, time } = work;
  const session = yield* require(tenantId, sessionId);
  if (session.memoryEnabled === enabled) return session;
  yield* appendEntries({ tenantId, sessionId, bodies: [memoryEvent(enabled)], time });
  return yield* require(tenantId, sessionId);
}

function* addTokens(tenantId: string, sessionId: string, tokens: TokenCounters): Verb<void> {
  const row = yield* first(
    `UPDATE sessions SET tokens_input = tokens_input + ?, tokens_output = tokens_output + ?,
      tokens_context = ?, tokens_total = tokens_total + ?
    WHERE tenant_id = ? AND id = ? RETURNING id`,
    [tokens.input, tokens.output, tokens.context, tokens.total, tenantId, sessionId],
  );
  if (!row) throw sessionNotFound(sessionId);
}

function* listUnmirrored(tenantId: string, limit: number): Verb<SessionRecord[]> {
  const rows = yield* all<SessionRow>(
    `SELECT ${sessionColumns} FROM sessions WHERE tenant_id = ? AND mirrored_seq < last_seq
    ORDER BY updated_at, id LIMIT ?`,
    [tenantId, Math.max(0, limit)],
  );
  return rows.map(toSessionRecord);
}

function* markMirrored(tenantId: string, sessionId: string, seq: number): Verb<void> {
  yield* change("UPDATE sessions SET mirrored_seq = ? WHERE tenant_id = ? AND id = ? AND mirrored_seq < ?", [
    seq,
    tenantId,
    sessionId,
    seq,
  ]);
}

function* remove(
  tenantId: string,
  sessionId: string,
  trace: Pick<AuditRecord, "id" | "actor" | "createdAt">,
): Verb<boolean> {
  yield* change("DELETE FROM entries WHERE tenant_id = ? AND session_id = ?", [tenantId, sessionId]);
  const row = yield* first<{ entry_count: number }>(
    "DELETE FROM sessions WHERE tenant_id = ? AND id = ? RETURNING entry_count",
    [tenantId, sessionId],
  );
  if (!row) return false;
  yield* insertAudit(tenantId, deletionRecord(sessionId, row.entry_count, trace));
  return true;
}

function* restore(
  session: SessionRecord,
  entries: readonly Entry[],
): Verb<Awaited<ReturnType<SessionStore["restore"]>>> {
  const { tenantId, sessionId, workspaceId, sessionKey } = session;
  if (yield* get(tenantId, sessionId)) return { type: "exists" };
  const active = yield* findActive(tenantId, workspaceId, sessionKey);
  const restored: SessionRecord = { ...session, state: active ? "ended" : session.state };
  yield* insertSession(restored, entries.length);
  for (const entry of entries) yield* insertEntry(tenantId, sessionId, entry);
  return { type: "restored", session: restored };
}

function* require(tenantId: string, sessionId: string): Verb<SessionRecord> {
  const session = yield* get(tenantId, sessionId);
  if (!session) throw sessionNotFound(sessionId);
  return session;
}
