/** The audit log: who did what, whether the record of it is whole, and copies of it. */
import { Type } from "typebox";
import { answer, before, limit, method, moment, name } from "./method.ts";

const narrowing = {
  /** As it is stored: the key of a session, in full. */
  sessionKey: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  runId: Type.Optional(name),
  actor: Type.Optional(name),
  action: Type.Optional(name),
  /** Moments; `to` is not within. */
  from: moment,
  to: moment,
  limit,
  /** The `seq` of the last one of the page before. */
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
  /** Looks at every row, at the head of the chain and at the anchors outside of the database; changes nothing. */
  "audit.verify": method({
    params: {},
    result: answer<AuditVerification>(),
    effect: "read",
    permission: "audit.view",
    scope: "tenant",
  }),
  /** A page like that of `audit.query`, for keeping elsewhere. That it was taken is itself recorded, with the first page. */
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
  /** The place in the chain. */
  seq: number;
  actor: string;
  action: string;
  resourceType: string;
  resourceId: string;
  sessionKey: string | null;
  runId: string | null;
  /** Texts are in it as digests and lengths, never as texts. */
  metadata: Record<string, unknown>;
  createdAt: string;
}

export interface AuditPage {
  records: AuditRecordView[];
  /** Hand it back as `before` for the next page; null at the end. */
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
  /** Where it begins, and where it ends if that is somewhere else. */
  seq?: number;
  toSeq?: number;
}

export interface AuditVerification {
  ok: boolean;
  /** Rows that were looked at. */
  rows: number;
  /** The newest row: worth noting down where nobody can change it. */
  head: { seq: number; digest: string } | null;
  /** The newest row that was cleared away because of its age. */
  prunedSeq: number;
  /** Lines outside of the database that were found right, and what the newest of them is about. */
  anchors: number;
  anchoredSeq: number;
  /** The first of them, at most a hundred. */
  problems: AuditProblemView[];
}
