import { timestamp, type Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import {
  auditColumns,
  digestOf,
  insertAudits,
  noteAnchored,
  pruneAudit,
  readHead,
  type StoredAudit,
} from "./audit-chain.ts";
import { sessionMark, type AuditSeal } from "./audit-seal.ts";
import type { AuditChainState, AuditFact, AuditQuery, AuditRecord, AuditStore, RawAudit } from "./audit.ts";
import { all, first, type Database, type Verb } from "../sqlite/database.ts";
import { narrowed } from "../access/narrowed.ts";

export function createAuditStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): AuditStore {
  const { database, clock, ids, tenantId, seal } = parts;
  const moment = { tenantId, seal };
  async function recordAll(facts: readonly AuditFact[], sync: "now" | "later"): Promise<AuditRecord[]> {
    const drafts = facts.map((fact) => ({ ...fact, id: ids.make("a"), createdAt: timestamp(clock) }));
    return database.write(() => insertAudits(moment, drafts), { sync });
  }
  return {
    recordAll,
    async record(fact) {
      const [record] = await recordAll([fact], "now");
      if (!record) throw new Error("a record was appended, and is not there");
      return record;
    },
    async list(asked) {
      const { sessionKey, ...rest } = asked;
      const query = sessionKey === undefined ? rest : { ...rest, sessionKey: sessionMark(seal, sessionKey) };
      const found: AuditRecord[] = [];
      const newest = (await database.read(() => newestSeq(tenantId))) + 1;
      for (let end = Math.min(query.before ?? newest, newest); end > 1 && found.length < query.limit;) {
        const start = Math.max(1, end - rowsAtOnce);
        const limit = query.limit - found.length;
        found.push(...(await database.read(() => listAudit(tenantId, { ...query, limit }, start, end))));
        end = isFoundByIndex(query) ? 1 : start;
      }
      return found;
    },
    head: () => database.read(() => readHead(tenantId)),
    state: () => database.read(() => stateOf(tenantId)),
    page: (after, limit) => database.read(() => readPage(tenantId, after, limit)),
    async digestAt(seq) {
      const row = await database.read(() =>
        first<{ digest: string }>("SELECT digest FROM audit_logs WHERE tenant_id = ? AND seq = ?", [
          tenantId,
          seq,
        ]),
      );
      return row?.digest;
    },
    settledHead: () => database.write(() => readHead(tenantId), { sync: "always" }),
    noteAnchored: (seq) => database.write(() => noteAnchored(moment, seq), { sync: "later" }),
    prune: (before, limit) => database.write(() => pruneAudit(moment, before, limit), { sync: "now" }),
  };
}

/** How many rows one step scans if no index helps. */
const rowsAtOnce = 5000;

const isFoundByIndex = ({ sessionKey, runId, resourceType }: AuditQuery): boolean =>
  sessionKey !== undefined || runId !== undefined || resourceType !== undefined;

function* newestSeq(tenantId: string): Verb<number> {
  const row = yield* first<{ seq: number | null }>(
    "SELECT max(seq) AS seq FROM audit_logs WHERE tenant_id = ?",
    [tenantId],
  );
  return Number(row?.seq ?? 0);
}

/** What runs consist of: a run with such a step is what is looked for. */
const stepsOfRuns: ReadonlySet<string> = new Set(["message-in", "model-call", "tool-call", "summary"]);

function* listAudit(tenantId: string, query: AuditQuery, start: number, end: number): Verb<AuditRecord[]> {
  const step = query.action !== undefined && stepsOfRuns.has(query.action) ? query.action : undefined;
  const { where, parameters } = narrowed(tenantId, {
    "seq <": end,
    "seq >=": isFoundByIndex(query) ? undefined : start,
    "run_id =": query.runId,
    "session_key =": query.sessionKey,
    "resource_id =": query.resourceId,
    "actor =": query.actor,
    "action =": step === undefined ? query.action : "run",
    "metadata_json LIKE": step === undefined ? undefined : `%"step":"${step}"%`,
    "created_at >=": query.from,
    "created_at <": query.to,
  });
  const rows = yield* all<StoredAudit>(
    `SELECT ${auditColumns} FROM audit_logs WHERE ${where}${ofSessions(query)} ORDER BY seq DESC LIMIT ?`,
    [...parameters, Math.max(0, query.limit)],
  );
  return rows.map(toRecord);
}

/** Stated literally, because otherwise the partial index is not used. */
const ofSessions = ({ resourceType }: AuditQuery): string =>
  resourceType === "session" ? " AND resource_type = 'session'" : "";

function* stateOf(tenantId: string): Verb<AuditChainState> {
  const head = yield* readHead(tenantId);
  const counted = yield* first<{ rows: number; misplaced: number }>(
    `SELECT count(*) AS rows, coalesce(sum(CASE WHEN seq BETWEEN ? AND ? THEN 0 ELSE 1 END), 0) AS misplaced
    FROM audit_logs WHERE tenant_id = ?`,
    [(head?.prunedSeq ?? 0) + 1, head?.seq ?? 0, tenantId],
  );
  return { head, rows: counted?.rows ?? 0, misplaced: counted?.misplaced ?? 0 };
}

function* readPage(tenantId: string, after: number, limit: number): Verb<RawAudit[]> {
  const rows = yield* all<StoredAudit>(
    `SELECT ${auditColumns} FROM audit_logs WHERE tenant_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    [tenantId, after, limit],
  );
  return rows.map((row) => ({
    seq: row.seq,
    digest: row.digest,
    follows: (previous) => digestOf(tenantId, row, previous) === row.digest,
    digestAt: (seq, previous) => digestOf(tenantId, { ...row, seq }, previous),
  }));
}

const toRecord = (row: StoredAudit): AuditRecord => ({
  id: row.id,
  seq: row.seq,
  actor: row.actor,
  action: row.action,
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  sessionKey: row.session_key,
  runId: row.run_id,
  metadata: JSON.parse(row.metadata_json) as Record<string, unknown>,
  createdAt: row.created_at,
});
