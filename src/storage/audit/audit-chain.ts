/**
 * The audit log as a hash chain: each row holds a digest of itself and the previous digest, and the sealed head holds
 * the last one. Appending reads only the head.
 */
import { hash } from "node:crypto";
import { isSameSeal, sessionMark, type AuditHead } from "./audit-seal.ts";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import type { Moment } from "../moment.ts";
import type { AuditRecord } from "./audit.ts";

export type AuditDraft = Omit<AuditRecord, "seq" | "sessionKey" | "runId"> &
  Partial<Pick<AuditRecord, "sessionKey" | "runId">>;

/** The tenant of a chain, and its seal; without one the head stays unsealed. */
export type ChainMoment = Pick<Moment, "tenantId" | "seal">;

export interface StoredAudit {
  id: string;
  seq: number;
  actor: string;
  action: string;
  resource_type: string;
  resource_id: string;
  session_key: string | null;
  run_id: string | null;
  metadata_json: string;
  created_at: string;
  digest: string;
}

export const auditColumns =
  "id, seq, actor, action, resource_type, resource_id, session_key, run_id, metadata_json, created_at, digest";

/** Over a JSON list of texts and numbers, which is unambiguous. */
export const digestOf = (tenantId: string, row: Omit<StoredAudit, "digest">, previous: string): string =>
  hash(
    "sha256",
    JSON.stringify([
      tenantId,
      row.seq,
      row.id,
      row.actor,
      row.action,
      row.resource_type,
      row.resource_id,
      row.session_key,
      row.run_id,
      row.metadata_json,
      row.created_at,
      previous,
    ]),
  );

/** Appends within the caller's transaction, so that a fact and its record are stored together or not at all. */
export function* insertAudits(moment: ChainMoment, drafts: readonly AuditDraft[]): Verb<AuditRecord[]> {
  if (drafts.length === 0) return [];
  const { tenantId } = moment;
  const head = yield* openHead(moment);
  let { seq, digest } = head;
  const records: AuditRecord[] = [];
  for (const draft of drafts) {
    const { sessionKey: key, runId = null } = draft;
    const sessionKey = key === null || key === undefined ? null : sessionMark(moment.seal, key);
    const record = { ...draft, seq: ++seq, sessionKey, runId };
    const row = toRow(record);
    digest = digestOf(tenantId, row, digest);
    yield* change(insertRow, [
      tenantId,
      row.id,
      row.seq,
      row.actor,
      row.action,
      row.resource_type,
      row.resource_id,
      row.session_key,
      row.run_id,
      row.metadata_json,
      row.created_at,
      digest,
    ]);
    records.push(record);
  }
  yield* writeHead(moment, { ...head, seq, digest, count: head.count + drafts.length });
  return records;
}

export function* insertAudit(moment: ChainMoment, draft: AuditDraft): Verb<AuditRecord> {
  const [record] = yield* insertAudits(moment, [draft]);
  if (!record) throw new Error("a record was appended, and is not there");
  return record;
}

/** The stored head with its seal; undefined if nothing was ever recorded. */
export function* readHead(tenantId: string): Verb<(AuditHead & { mac: string }) | undefined> {
  const row = yield* first<StoredHead>(selectHead, [tenantId]);
  return (
    row && {
      tenantId,
      seq: row.seq,
      digest: row.digest,
      count: row.row_count,
      prunedSeq: row.pruned_seq,
      prunedDigest: row.pruned_digest,
      suspectSeq: row.suspect_seq,
      anchoredSeq: row.anchored_seq,
      mac: row.mac,
    }
  );
}

/** Notes how far anchors were written. Never moves backwards. */
export function* noteAnchored(moment: ChainMoment, seq: number): Verb<void> {
  const head = yield* openHead(moment);
  if (seq > head.anchoredSeq && seq <= head.seq) yield* writeHead(moment, { ...head, anchoredSeq: seq });
}

/** Deletes older rows from the beginning, at most `limit`; the head stores the new beginning. */
export function* pruneAudit(moment: ChainMoment, before: string, limit: number): Verb<number> {
  const { tenantId } = moment;
  const oldest = yield* all<Pick<StoredAudit, "seq" | "digest" | "created_at">>(
    "SELECT seq, digest, created_at FROM audit_logs WHERE tenant_id = ? ORDER BY seq LIMIT ?",
    [tenantId, Math.max(0, limit)],
  );
  const fresh = oldest.findIndex(({ created_at }) => created_at >= before);
  const old = fresh < 0 ? oldest : oldest.slice(0, fresh);
  const last = old.at(-1);
  if (!last) return 0;
  const head = yield* openHead(moment);
  yield* change("DELETE FROM audit_logs WHERE tenant_id = ? AND seq <= ?", [tenantId, last.seq]);
  yield* writeHead(moment, {
    ...head,
    count: head.count - old.length,
    prunedSeq: last.seq,
    prunedDigest: last.digest,
  });
  return old.length;
}

/** Rows from before the chain existed are added in the order of their times. */
export function* chainOldRows(seal: Moment["seal"]): Verb<void> {
  const tenants = yield* all<{ tenant_id: string }>("SELECT DISTINCT tenant_id FROM unchained_audit_logs");
  for (const { tenant_id: tenantId } of tenants) {
    const rows = yield* all<Omit<StoredAudit, "digest" | "seq" | "session_key" | "run_id">>(
      `SELECT id, actor, action, resource_type, resource_id, metadata_json, created_at FROM unchained_audit_logs
      WHERE tenant_id = ? ORDER BY created_at, id`,
      [tenantId],
    );
    const drafts = rows.map((row) => ({
      id: row.id,
      actor: row.actor,
      action: row.action,
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      metadata: JSON.parse(row.metadata_json) as Record<string, unknown>,
      createdAt: row.created_at,
    }));
    yield* insertAudits({ tenantId, seal }, drafts);
  }
  yield { sql: "DROP TABLE unchained_audit_logs", parameters: [], once: true };
}

interface StoredHead {
  seq: number;
  digest: string;
  row_count: number;
  pruned_seq: number;
  pruned_digest: string;
  suspect_seq: number;
  anchored_seq: number;
  mac: string;
}

const selectHead =
  "SELECT seq, digest, row_count, pruned_seq, pruned_digest, suspect_seq, anchored_seq, mac FROM audit_heads WHERE tenant_id = ?";

const insertRow = `INSERT INTO audit_logs (tenant_id, ${auditColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const noHead = (tenantId: string): AuditHead => ({
  tenantId,
  seq: 0,
  digest: "",
  count: 0,
  prunedSeq: 0,
  prunedDigest: "",
  suspectSeq: 0,
  anchoredSeq: 0,
});

/**
 * The head to append to. If somebody wrote without the key, that part is marked permanently: a new seal must not hide
 * it.
 */
function* openHead({ tenantId, seal }: ChainMoment): Verb<AuditHead> {
  const stored = yield* readHead(tenantId);
  if (!stored) return noHead(tenantId);
  const { mac, ...head } = stored;
  const isOurs = seal === undefined || isSameSeal(mac, seal.head(head));
  return isOurs ? head : { ...head, suspectSeq: head.seq };
}

function* writeHead({ tenantId, seal }: ChainMoment, head: AuditHead): Verb<void> {
  yield* change(
    `INSERT INTO audit_heads (tenant_id, seq, digest, row_count, pruned_seq, pruned_digest, suspect_seq, anchored_seq, mac)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id) DO UPDATE SET seq = excluded.seq, digest = excluded.digest, row_count = excluded.row_count,
      pruned_seq = excluded.pruned_seq, pruned_digest = excluded.pruned_digest, suspect_seq = excluded.suspect_seq,
      anchored_seq = excluded.anchored_seq, mac = excluded.mac`,
    [
      tenantId,
      head.seq,
      head.digest,
      head.count,
      head.prunedSeq,
      head.prunedDigest,
      head.suspectSeq,
      head.anchoredSeq,
      seal?.head(head) ?? "",
    ],
  );
}

const toRow = (record: AuditRecord): Omit<StoredAudit, "digest"> => ({
  id: record.id,
  seq: record.seq,
  actor: record.actor,
  action: record.action,
  resource_type: record.resourceType,
  resource_id: record.resourceId,
  session_key: record.sessionKey,
  run_id: record.runId,
  metadata_json: JSON.stringify(record.metadata),
  created_at: record.createdAt,
});
