/** The audit log: who did what, whether the log is intact, and exports of it. */
import { Type } from "typebox";
import { answer, before, limit, method, moment, name } from "./method.ts";

const narrowing = {
  /** As it is stored: the full session key. */
  sessionKey: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  runId: Type.Optional(name),
  actor: Type.Optional(name),
  action: Type.Optional(name),
  /** Timestamps; `to` is exclusive. */
  from: moment,
  to: moment,
  limit,
  /** The `seq` of the last record of the previous page. */
  before,
};

export const auditMethods = {
  /** Newest first. */
  "audit.query": method({
    params: narrowing,
    result: answer<AuditPage>(),
    effect: "read",
    permission: "audit.view",
    scope: "tenant",
  }),
  /** Checks every row, the head of the chain and the anchors outside of the database; changes nothing. */
  "audit.verify": method({
    params: {},
    result: answer<AuditVerification>(),
    effect: "read",
    permission: "audit.view",
    scope: "tenant",
  }),
  /** A page like that of `audit.query`, to keep elsewhere. The first page of an export is itself recorded. */
  "audit.export": method({
    params: narrowing,
    result: answer<AuditPage>(),
    effect: "change",
    permission: "audit.export",
    scope: "tenant",
  }),
};

export interface AuditRecordView {
  id: string;
  /** The position in the chain. */
  seq: number;
  actor: string;
  action: string;
  resourceType: string;
  resourceId: string;
  sessionKey: string | null;
  runId: string | null;
  /** Contains digests and lengths of texts, never the texts. */
  metadata: Record<string, unknown>;
  createdAt: string;
}

export interface AuditPage {
  records: AuditRecordView[];
  /** Pass it as `before` for the next page; null at the end. */
  next: number | null;
}

export const auditProblemKinds = [
  "edited",
  "dropped",
  "dropped-at-end",
  "reordered",
  "inserted",
  "rewritten",
  "head-missing",
  "head-forged",
  "wrong-key",
  "no-key",
  "written-without-key",
  "anchors-missing",
  "anchors-behind",
  "anchor-forged",
] as const;
export type AuditProblemKind = (typeof auditProblemKinds)[number];

export interface AuditProblemView {
  kind: AuditProblemKind;
  /** Where it starts, and where it ends if that differs. */
  seq?: number;
  toSeq?: number;
}

export interface AuditVerification {
  ok: boolean;
  /** Rows that were checked. */
  rows: number;
  /** The newest row: worth noting down where nobody can change it. */
  head: { seq: number; digest: string } | null;
  /** The newest row that was deleted because of its age. */
  prunedSeq: number;
  /** Valid anchors outside of the database, and the row that the newest of them covers. */
  anchors: number;
  anchoredSeq: number;
  /** The first ones, at most a hundred. */
  problems: AuditProblemView[];
}
