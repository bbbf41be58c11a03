/** Creates rows of `access`, with their audit records; nothing else does. */
import { accessColumns, isLive, textOf, toAccess, type AccessMoment, type AccessRow } from "./access-row.ts";
import type { AccessRecord, AccessStore, NewAccess } from "./access.ts";
import { insertAudit } from "../audit/audit-chain.ts";
import { change, first, type Verb } from "../sqlite/database.ts";

/** A limit on live accesses: each one is a way to sign in. */
const mostLive = 1000;
/** How long expired ones stay visible. */
const keepOverMs = 30 * 24 * 3_600_000;

/** A device has a key instead of a digest. */
export function* putAccess(
  moment: AccessMoment,
  entry: Omit<NewAccess, "secretDigest"> & { secretDigest: string | null; publicKey: string | null },
): Verb<Awaited<ReturnType<AccessStore["put"]>>> {
  const { tenantId, ids, nowMs } = moment;
  const now = textOf(nowMs);
  const over = textOf(nowMs - keepOverMs);
  // Keeps expired rows that an existing access depends on.
  yield* change(
    `DELETE FROM access WHERE tenant_id = ? AND (revoked_at <= ? OR expires_at <= ?)
    AND NOT EXISTS (SELECT 1 FROM access AS made WHERE made.tenant_id = access.tenant_id AND made.created_by IN (
      'token:' || access.id, 'device:' || access.id, 'node:' || access.id, 'browser:' || access.id, 'passkey:' || access.id
    ))`,
    [tenantId, over, over],
  );
  const counted = yield* first<{ count: number }>(
    `SELECT count(*) AS count FROM access WHERE tenant_id = ? AND ${isLive}`,
    [tenantId, now],
  );
  if ((counted?.count ?? 0) >= mostLive) return { type: "full" };
  const { kind, role, name, scope, way, boundTo = null, createdBy, expiresAt } = entry;
  const row = yield* first<AccessRow>(
    `INSERT INTO access (tenant_id, id, kind, role, name, scope_json, secret_digest, public_key, way, bound_to,
      created_at, created_by, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${accessColumns}`,
    [
      tenantId,
      ids.make("x"),
      kind,
      role,
      name,
      JSON.stringify(scope),
      entry.secretDigest,
      entry.publicKey,
      way,
      boundTo,
      now,
      createdBy,
      expiresAt,
    ],
  );
  if (!row) throw new Error("an insert gave no row back");
  const access = toAccess(row);
  yield* traceAccess(moment, "access-add", access, createdBy);
  return { type: "stored", access };
}

/** Without the name: audit records contain nothing that people wrote. */
export function* traceAccess(
  { tenantId, ids, nowMs, seal }: AccessMoment,
  action: string,
  { id, kind, role, scope, expiresAt }: AccessRecord,
  actor: string,
): Verb<void> {
  yield* insertAudit(
    { tenantId, seal },
    {
      id: ids.make("a"),
      actor,
      action,
      resourceType: "access",
      resourceId: id,
      metadata: { kind, role, scope, expiresAt },
      createdAt: textOf(nowMs),
    },
  );
}
