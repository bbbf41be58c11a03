/** A row of `access`, and the context that its verbs work in. */
import type { AuditSeal } from "../audit/audit-seal.ts";
import type { Ids } from "../../infra/ids.ts";
import type { AccessRecord, AccessScope } from "./access.ts";

export interface AccessMoment {
  tenantId: string;
  ids: Ids;
  nowMs: number;
  /** For audit records. */
  seal?: AuditSeal | undefined;
}

export interface AccessRow {
  id: string;
  kind: string;
  role: string;
  name: string;
  scope_json: string;
  way: string;
  bound_to: string | null;
  created_at: string;
  created_by: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export const accessColumns =
  "id, kind, role, name, scope_json, way, bound_to, created_at, created_by, last_used_at, expires_at, revoked_at";
export const isLive = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)";
export const textOf = (ms: number) => new Date(ms).toISOString();

/** The caller id of an access. */
export const callerIdOf = ({ kind, role, id }: Pick<AccessRecord, "kind" | "role" | "id">): string =>
  `${kind === "device" && role === "node" ? "node" : kind}:${id}`;

export const toAccess = (row: AccessRow): AccessRecord => ({
  id: row.id,
  kind: row.kind as AccessRecord["kind"],
  role: row.role,
  name: row.name,
  scope: JSON.parse(row.scope_json) as AccessScope,
  way: row.way,
  boundTo: row.bound_to,
  createdAt: row.created_at,
  createdBy: row.created_by,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});
