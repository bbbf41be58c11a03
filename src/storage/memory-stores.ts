/** Stores that live as long as the process: for tests and trials. They keep every promise but survival. */
import type { Entry, EntryBody } from "@pincer/sdk";
import { timestamp, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Ids } from "../infra/ids.ts";
import { sessionNotFound } from "./entry-store.ts";
import { lostLease } from "./lease-store.ts";
import { newestVersion } from "./migrations.ts";
import { foldCase, formatCursor, pageLimit, parseCursor } from "./session-cursor.ts";
import {
  endingEvent,
  firstEntries,
  gainOf,
  memoryEvent,
  newSession,
  sessionFromEntries,
} from "./session-index.ts";
import { deletionRecord } from "./deletion-record.ts";
import type {
  AuditRecord,
  AuditStore,
  DirectoryStore,
  EntryStore,
  Fence,
  HeldLease,
  LeaseStore,
  OpenSession,
  SessionRecord,
  SessionStore,
  Stores,
  TenantStores,
} from "./stores.ts";

interface Parts {
  clock: Clock;
  ids: Ids;
}

/** What one tenant has. Entries are kept as JSON, so that nobody can change one that was handed out. */
interface Tenant {
  id: string;
  sessions: Map<string, SessionRecord>;
  entries: Map<string, string[]>;
  leases: Map<string, { lease: HeldLease; released: boolean }>;
  audit: AuditRecord[];
  agents: Map<string, { id: string; workspaceId: string; name: string; status: string }>;
}

export function createMemoryStores(parts: Parts): Stores {
  const tenants = new Map<string, Tenant>();
  const tenantOf = (id: string): Tenant => {
    let tenant = tenants.get(id);
    if (!tenant) {
      tenant = emptyTenant(id);
      tenants.set(id, tenant);
    }
    return tenant;
  };
  return {
    tenant: (id) => createTenant(tenantOf(id), parts),
    async health() {
      const all = [...tenants.values()];
      const entries = all.flatMap((tenant) => [...tenant.entries.values()].flat());
      return {
        ok: true,
        kind: "memory",
        schemaVersion: newestVersion,
        sizeBytes: entries.reduce((bytes, json) => bytes + json.length, 0),
        sessions: all.reduce((sum, tenant) => sum + tenant.sessions.size, 0),
        entries: entries.length,
        problems: [],
      };
    },
    async backup() {
      throw failure("backup/refused", "failure.memory-only");
    },
    async close() {},
  };
}

const emptyTenant = (id: string): Tenant => ({
  id,
  sessions: new Map(),
  entries: new Map(),
  leases: new Map(),
  audit: [],
  agents: new Map(),
});

function createTenant(tenant: Tenant, parts: Parts): TenantStores {
  return {
    sessions: createSessions(tenant, parts),
    entries: createEntries(tenant, parts),
    leases: createLeases(tenant, parts),
    audit: createAudit(tenant, parts),
    directory: createDirectory(tenant),
  };
}

function createSessions(tenant: Tenant, { clock, ids }: Parts): SessionStore {
  const findActive = (workspaceId: string, sessionKey: string) =>
    [...tenant.sessions.values()].find(
      (session) =>
        session.state === "active" &&
        session.workspaceId === workspaceId &&
        session.sessionKey === sessionKey,
    );
  const create = (request: OpenSession, memoryEnabled: boolean) => {
    const now = timestamp(clock);
    const session = newSession({
      tenantId: tenant.id,
      sessionId: ids.make("s"),
      request: structuredClone(request),
      now,
    });
    tenant.sessions.set(session.sessionId, session);
    append(tenant, session.sessionId, firstEntries(session, request.cwd, memoryEnabled), now);
    return structuredClone(session);
  };
  return {
    async open(request) {
      const found = findActive(request.workspaceId, request.sessionKey);
      if (found) return { session: structuredClone(found), created: false };
      return { session: create(request, false), created: true };
    },
    async openNew(request) {
      const ended = findActive(request.workspaceId, request.sessionKey);
      if (ended) append(tenant, ended.sessionId, [endingEvent], timestamp(clock));
      return { session: create(request, ended?.memoryEnabled ?? false), ended: structuredClone(ended) };
    },
    async findActive(workspaceId, sessionKey) {
      return structuredClone(findActive(workspaceId, sessionKey));
    },
    async get(sessionId) {
      return structuredClone(tenant.sessions.get(sessionId));
    },
    async list({ limit, after, agentId, search }) {
      const position = after === undefined ? undefined : parseCursor(after);
      const size = Math.min(Math.max(1, limit), pageLimit);
      const matching = [...tenant.sessions.values()]
        .filter((session) => agentId === undefined || session.agentId === agentId)
        .filter((session) => foldCase(session.sessionKey).includes(foldCase(search ?? "")))
        .filter((session) => !position || byActivity(session, position) < 0)
        .sort((one, other) => byActivity(other, one));
      const sessions = structuredClone(matching.slice(0, size));
      const last = sessions.at(-1);
      return { sessions, next: matching.length > size && last ? formatCursor(last) : null };
    },
    async switchMemory(sessionId, enabled) {
      const session = requireSession(tenant, sessionId);
      if (session.memoryEnabled !== enabled) {
        append(tenant, sessionId, [memoryEvent(enabled)], timestamp(clock));
      }
      return structuredClone(session);
    },
    async addTokens(sessionId, { input, output, context, total }) {
      const { tokens } = requireSession(tenant, sessionId);
      tokens.input += input;
      tokens.output += output;
      tokens.context = context;
      tokens.total += total;
    },
    async listUnmirrored(limit) {
      const behind = [...tenant.sessions.values()].filter((session) => session.mirroredSeq < session.lastSeq);
      return structuredClone(behind.sort(byActivity).slice(0, Math.max(0, limit)));
    },
    async markMirrored(sessionId, seq) {
      const session = tenant.sessions.get(sessionId);
      if (session) session.mirroredSeq = Math.max(session.mirroredSeq, seq);
    },
    async delete(sessionId, actor) {
      if (!tenant.sessions.delete(sessionId)) return false;
      const entries = tenant.entries.get(sessionId)?.length ?? 0;
      tenant.entries.delete(sessionId);
      const trace = { id: ids.make("a"), actor, createdAt: timestamp(clock) };
      tenant.audit.push(deletionRecord(sessionId, entries, trace));
      return true;
    },
    async restore(entries) {
      const session = sessionFromEntries(tenant.id, entries);
      if (tenant.sessions.has(session.sessionId)) return { type: "exists" };
      if (findActive(session.workspaceId, session.sessionKey)) session.state = "ended";
      tenant.sessions.set(session.sessionId, session);
      tenant.entries.set(
        session.sessionId,
        entries.map((entry) => JSON.stringify(entry)),
      );
      return { type: "restored", session: structuredClone(session) };
    },
  };
}

function createEntries(tenant: Tenant, { clock }: Parts): EntryStore {
  const read = (sessionId: string) => tenant.entries.get(sessionId) ?? [];
  const parse = (json: string) => JSON.parse(json) as Entry;
  return {
    async append(sessionId, bodies, fence) {
      if (bodies.length === 0) return [];
      if (fence && !holds(tenant, fence)) throw lostLease();
      return append(tenant, sessionId, bodies, timestamp(clock));
    },
    async recent(sessionId, limit) {
      return limit > 0 ? read(sessionId).slice(-limit).map(parse) : [];
    },
    async after(sessionId, after, limit) {
      const later = read(sessionId)
        .map(parse)
        .filter((entry) => entry.seq > after);
      return later.slice(0, Math.max(0, limit));
    },
  };
}

function createLeases(tenant: Tenant, { clock }: Parts): LeaseStore {
  const inMs = (ms: number) => new Date(clock.now() + ms).toISOString();
  return {
    async acquire({ name, holder, ttlMs, isStale }) {
      const present = tenant.leases.get(name);
      const held = present && !present.released && present.lease.expiresAt > inMs(0);
      if (held && !isStale(structuredClone(present.lease)))
        return { type: "held", lease: structuredClone(present.lease) };
      const fencing = (present?.lease.fencing ?? 0) + 1;
      const lease = { holder: { ...holder }, fencing, acquiredAt: inMs(0), expiresAt: inMs(ttlMs) };
      tenant.leases.set(name, { lease, released: false });
      return { type: "acquired", fence: { name, fencing } };
    },
    async find(name) {
      const present = tenant.leases.get(name);
      return present && !present.released ? structuredClone(present.lease) : undefined;
    },
    async renew(fence, ttlMs) {
      const present = holds(tenant, fence);
      if (present) present.lease.expiresAt = inMs(ttlMs);
      return present !== undefined;
    },
    async release(fence) {
      const present = holds(tenant, fence);
      if (present) present.released = true;
    },
  };
}

function createAudit(tenant: Tenant, { clock, ids }: Parts): AuditStore {
  return {
    async record(entry) {
      const record = structuredClone({ ...entry, id: ids.make("a"), createdAt: timestamp(clock) });
      tenant.audit.push(record);
      return structuredClone(record);
    },
    async list({ limit, resourceId, action }) {
      const matching = tenant.audit
        .filter((record) => resourceId === undefined || record.resourceId === resourceId)
        .filter((record) => action === undefined || record.action === action)
        .sort((one, other) => compare(other.createdAt, one.createdAt) || compare(other.id, one.id));
      return structuredClone(matching.slice(0, Math.max(0, limit)));
    },
  };
}

function createDirectory(tenant: Tenant): DirectoryStore {
  return {
    async ensure({ workspace, agent }) {
      if (tenant.agents.has(agent.id)) return;
      tenant.agents.set(agent.id, { ...agent, workspaceId: workspace.id, status: "active" });
    },
    async listAgents() {
      return structuredClone([...tenant.agents.values()].sort((one, other) => compare(one.id, other.id)));
    },
  };
}

function append(tenant: Tenant, sessionId: string, bodies: EntryBody[], time: string): Entry[] {
  const session = requireSession(tenant, sessionId);
  const stamped = bodies.map((body) => ({ ...body, time }));
  const entries = stamped.map((body, index) => Object.assign(body, { seq: session.lastSeq + 1 + index }));
  const gain = gainOf(stamped);
  const kept = tenant.entries.get(sessionId) ?? [];
  kept.push(...entries.map((entry) => JSON.stringify(entry)));
  tenant.entries.set(sessionId, kept);

  session.lastSeq += entries.length;
  session.messageCount += gain.messages;
  session.compactionCount += gain.compactions;
  session.memoryEnabled = gain.memoryEnabled ?? session.memoryEnabled;
  session.memoryFlushAt = gain.memoryFlushAt ?? session.memoryFlushAt;
  if (gain.ended) session.state = "ended";
  session.updatedAt = time;
  const { keepFrom } = gain;
  if (keepFrom !== null) {
    const all = kept.map((json) => JSON.parse(json) as Entry);
    session.compactedMessageCount = all.filter((one) => one.type === "message" && one.seq < keepFrom).length;
  }
  return entries;
}

function requireSession(tenant: Tenant, sessionId: string): SessionRecord {
  const session = tenant.sessions.get(sessionId);
  if (!session) throw sessionNotFound(sessionId);
  return session;
}

function holds(tenant: Tenant, fence: Fence): { lease: HeldLease; released: boolean } | undefined {
  const present = tenant.leases.get(fence.name);
  return present && !present.released && present.lease.fencing === fence.fencing ? present : undefined;
}

type Active = Pick<SessionRecord, "updatedAt" | "sessionId">;
const byActivity = (one: Active, other: Active) =>
  compare(one.updatedAt, other.updatedAt) || compare(one.sessionId, other.sessionId);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
