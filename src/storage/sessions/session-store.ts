/** Sessions: the small records that own the entries. */
import type { Entry, MessageEntry } from "@pincer/sdk";
import { timestamp, type Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { insertAudit, type AuditDraft, type ChainMoment } from "../audit/audit-chain.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { all, change, first, type Database, type SqlValue, type Verb } from "../sqlite/database.ts";
import { deletionRecord } from "./deletion-record.ts";
import { toEntry, type EntryRow } from "./entry-row.ts";
import { insertEntry } from "./entry-store.ts";
import { foldCase, formatCursor, pageLimit, parseCursor } from "./session-cursor.ts";
import { forgetCarried } from "../turns/forget-carried.ts";
import { forgetMessages } from "../inbox/forget-messages.ts";
import { encodeLine } from "../transcript/line-codec.ts";
import { listTorn, mendSession } from "./mend-session.ts";
import { sessionFromEntries } from "./session-index.ts";
import { insertSession, sessionColumns, toSessionRecord, type SessionRow } from "./session-row.ts";
import {
  addTokens,
  findActive,
  findOpen,
  getSession,
  openNewSession,
  openSession,
  resumeSession,
  switchMemory,
  type Birth,
} from "./session-verbs.ts";
import type { OpenSession, SessionPage, SessionRecord, SessionStore } from "../stores.ts";
import { forgetSessionUsage } from "../usage/usage-store.ts";

export function createSessionStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): SessionStore {
  const { database, clock, ids, tenantId, seal } = parts;
  const birth = (request: OpenSession): Birth => ({
    tenantId,
    request,
    sessionId: ids.make("s"),
    now: timestamp(clock),
  });
  return {
    open(request) {
      const { workspaceId, sessionKey } = request;
      return database.write(() => openSession(birth(request)), {
        sync: "now",
        unless: () => findOpen(tenantId, workspaceId, sessionKey),
      });
    },
    openNew: (request, carry) => database.write(() => openNewSession(birth(request), carry), { sync: "now" }),
    resume: (sessionId) =>
      database.write(() => resumeSession(tenantId, sessionId, timestamp(clock)), { sync: "now" }),
    findActive: (workspaceId, sessionKey) =>
      database.read(() => findActive(tenantId, workspaceId, sessionKey)),
    get: (sessionId) => database.read(() => getSession(tenantId, sessionId)),
    async list(query) {
      return database.read(() => list(tenantId, query));
    },
    openings: (sessionIds) => database.read(() => readOpenings(tenantId, sessionIds)),
    switchMemory(sessionId, enabled) {
      const time = timestamp(clock);
      return database.write(() => switchMemory({ tenantId, sessionId, enabled, time }), { sync: "now" });
    },
    async addTokens(sessionId, tokens) {
      await database.write(() => addTokens(tenantId, sessionId, tokens), { sync: "later" });
    },
    listUnmirrored: (limit) => database.read(() => listUnmirrored(tenantId, limit)),
    markMirrored: (sessionId, seq, when) =>
      database.write(() => markMirrored(tenantId, sessionId, seq), { sync: when ?? "later" }),
    forgetCarried: (sessionId) => database.write(() => forgetCarried(tenantId, sessionId), { sync: "now" }),
    async delete(sessionId, actor) {
      const trace = { id: ids.make("a"), actor, createdAt: timestamp(clock) };
      const deleted = await database.write(() => remove({ tenantId, seal }, sessionId, trace), {
        sync: "now",
      });
      if (deleted) await database.forgetDeleted();
      return deleted;
    },
    async restore(entries) {
      const session = sessionFromEntries(tenantId, entries);
      return database.write(() => restore(session, entries), { sync: "now" });
    },
    async takeBack(entries) {
      const session = sessionFromEntries(tenantId, entries);
      return database.write(() => takeBack(session, entries), { sync: "now" });
    },
    listTorn: () => database.read(() => listTorn(tenantId)),
    mend: (sessionId, copy) => database.write(() => mendSession(tenantId, sessionId, copy), { sync: "now" }),
  };
}

function* list(tenantId: string, query: Parameters<SessionStore["list"]>[0]): Verb<SessionPage> {
  const conditions = ["tenant_id = ?"];
  const parameters: SqlValue[] = [tenantId];
  const require = (condition: string, ...values: string[]) => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (query.agentId !== undefined) require("agent_id = ?", query.agentId);
  if (query.channel !== undefined) require("channel = ?", query.channel);
  if (query.state !== undefined) require("state = ?", query.state);
  if (query.search !== undefined) {
    const pattern = partPattern(query.search);
    const places = [hasPart, labelHasPart, subjectHasPart, openingHasPart].map((one) => `${one} ESCAPE '\\'`);
    require(`(${places.join(" OR ")})`, pattern, pattern, pattern, "\n", pattern);
  }
  for (const part of query.without ?? []) require(`NOT ${hasPart} ESCAPE '\\'`, partPattern(part));
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

/** A session begins with its header and settings; the first speaker is among the next entries. */
const nearTheBeginning = 20;

const hasPart = "lower(session_key) LIKE ?";
/** Few sessions have settings: JSON is read only if it is not empty. */
const labelHasPart = "settings_json <> '{}' AND lower(settings_json ->> 'label') LIKE ?";
const subjectHasPart = "lower(origin_json ->> 'subject') LIKE ?";
/** Of as much as a list may show as the title; on one line, as there. */
const openingHasPart = `(SELECT lower(replace(substr(body_json -> 'message' -> 'content' -> 0 ->> 'text', 1, 640), ?, ' '))
  FROM entries WHERE entries.tenant_id = sessions.tenant_id AND entries.session_id = sessions.id
    AND entries.seq <= ${nearTheBeginning} AND entries.role = 'user' ORDER BY entries.seq LIMIT 1) LIKE ?`;
const partPattern = (part: string): string => `%${foldCase(part).replace(/[\\%_]/g, "\\$&")}%`;

function* readOpenings(tenantId: string, sessionIds: readonly string[]): Verb<Map<string, MessageEntry>> {
  const openings = new Map<string, MessageEntry>();
  for (const sessionId of sessionIds) {
    const row = yield* first<EntryRow>(
      `SELECT seq, time, body_json FROM entries
      WHERE tenant_id = ? AND session_id = ? AND seq <= ? AND role = 'user' ORDER BY seq LIMIT 1`,
      [tenantId, sessionId, nearTheBeginning],
    );
    const entry = row && toEntry(row);
    if (entry?.type === "message") openings.set(sessionId, entry);
  }
  return openings;
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
  moment: ChainMoment,
  sessionId: string,
  trace: Pick<AuditDraft, "id" | "actor" | "createdAt">,
): Verb<boolean> {
  const { tenantId } = moment;
  yield* change("DELETE FROM session_marks WHERE tenant_id = ? AND session_id = ?", [tenantId, sessionId]);
  yield* change("DELETE FROM entries WHERE tenant_id = ? AND session_id = ?", [tenantId, sessionId]);
  const row = yield* first<{ entry_count: number; session_key: string }>(
    "DELETE FROM sessions WHERE tenant_id = ? AND id = ? RETURNING entry_count, session_key",
    [tenantId, sessionId],
  );
  if (!row) return false;
  yield* forgetMessages(tenantId, { sessionId, sessionKey: row.session_key });
  yield* forgetSessionUsage(tenantId, sessionId);
  yield* insertAudit(moment, deletionRecord(sessionId, row.entry_count, trace));
  return true;
}

function* takeBack(whole: SessionRecord, entries: readonly Entry[]): Verb<number> {
  const { tenantId, sessionId, tokens } = whole;
  const present = yield* getSession(tenantId, sessionId);
  if (!present || present.lastSeq >= whole.lastSeq) return 0;
  const row = yield* first<EntryRow>(
    `SELECT * FROM entries WHERE tenant_id = ? AND session_id = ? AND seq = ?`,
    [tenantId, sessionId, present.lastSeq],
  );
  const same = entries.find(({ seq }) => seq === present.lastSeq);
  if (!row || !same || encodeLine(toEntry(row)) !== encodeLine(same)) return 0;
  const missing = entries.filter(({ seq }) => seq > present.lastSeq);
  for (const entry of missing) yield* insertEntry(tenantId, sessionId, entry);
  yield* change(
    `UPDATE sessions SET memory_enabled = ?, settings_json = ?, compacted_message_count = ?, compaction_count = ?,
      memory_flush_at = ?, tokens_input = ?, tokens_output = ?, tokens_context = ?, tokens_total = ?, last_seq = ?, entry_count = ?, message_count = ?, updated_at = ?
    WHERE tenant_id = ? AND id = ?`,
    [
      whole.memoryEnabled ? 1 : 0,
      JSON.stringify(whole.settings),
      whole.compactedMessageCount,
      whole.compactionCount,
      whole.memoryFlushAt,
      Math.max(tokens.input, present.tokens.input),
      Math.max(tokens.output, present.tokens.output),
      tokens.context,
      Math.max(tokens.total, present.tokens.total),
      whole.lastSeq,
      entries.length,
      whole.messageCount,
      whole.updatedAt,
      tenantId,
      sessionId,
    ],
  );
  return missing.length;
}

function* restore(
  session: SessionRecord,
  entries: readonly Entry[],
): Verb<Awaited<ReturnType<SessionStore["restore"]>>> {
  const { tenantId, sessionId, workspaceId, sessionKey } = session;
  if (yield* getSession(tenantId, sessionId)) return { type: "exists" };
  const active = yield* findActive(tenantId, workspaceId, sessionKey);
  const restored: SessionRecord = { ...session, state: active ? "ended" : session.state };
  yield* insertSession(restored, entries.length);
  for (const entry of entries) yield* insertEntry(tenantId, sessionId, entry);
  return { type: "restored", session: restored };
}
