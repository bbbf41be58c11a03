/** The owner's grants beyond single calls. */
import type { ApprovalStore, Grant } from "./approvals.ts";
import { insertAudit } from "../audit/audit-chain.ts";
import { digestOfText } from "../audit/audit-seal.ts";
import { all, atMost, first, type Verb } from "../sqlite/database.ts";
import type { Moment } from "../moment.ts";
import { shortId, typedId } from "../short-id.ts";

interface StoredGrant {
  id: string;
  agent_id: string;
  turn_id: string;
  session_key: string;
  scope: Grant["scope"];
  tool: string;
  key: string;
  shown: string;
  granted_by: string;
  created_at: string;
  expires_at: string | null;
}

const columns =
  "id, agent_id, turn_id, session_key, scope, tool, key, shown, granted_by, created_at, expires_at";

export type GrantDraft = Omit<Grant, "id" | "createdAt">;

/** Granting the same thing again renews the existing grant. */
export function* addGrant(moment: Moment, draft: GrantDraft): Verb<Grant> {
  const { tenantId, now, ids } = moment;
  for (let tries = 0; tries < 100; tries++) {
    const id = shortId(ids);
    if (yield* first("SELECT id FROM grants WHERE tenant_id = ? AND id = ?", [tenantId, id])) continue;
    const row = yield* first<StoredGrant>(
      `INSERT INTO grants (tenant_id, position, ${columns})
      VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM grants WHERE tenant_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant_id, agent_id, turn_id, session_key, scope, tool, key) DO UPDATE SET
        shown = excluded.shown, granted_by = excluded.granted_by, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      RETURNING ${columns}`,
      [
        tenantId,
        tenantId,
        id,
        draft.agentId,
        draft.turnId ?? "",
        draft.sessionKey ?? "",
        draft.scope,
        draft.tool,
        draft.key,
        draft.shown,
        draft.grantedBy,
        now,
        draft.expiresAt,
      ],
    );
    if (!row) throw new Error("an insert gave no row back");
    const grant = toGrant(row);
    yield* trace(moment, "grant-add", grant, draft.grantedBy);
    return grant;
  }
  throw new Error("every id that was made belongs to another grant");
}

/** A clock that was set back makes nothing last longer: what begins in the future is not valid either. */
const holds = "(expires_at IS NULL OR (expires_at > ? AND created_at <= ?))";

export function* grantsOf(
  { tenantId, now }: Moment,
  { agentId, turnId, sessionKey }: Parameters<ApprovalStore["grants"]>[0],
): Verb<Grant[]> {
  const rows = yield* all<StoredGrant>(
    `SELECT ${columns} FROM grants WHERE tenant_id = ? AND agent_id = ? AND turn_id IN ('', ?)
      AND session_key IN ('', ?) AND ${holds}`,
    [tenantId, agentId, turnId ?? "", sessionKey ?? "", now, now],
  );
  return rows.map(toGrant);
}

/** A task's grant ends with its turn. */
export function* listGrants({ tenantId, now }: Moment, limit: number): Verb<Grant[]> {
  const rows = yield* all<StoredGrant>(
    `SELECT ${columns} FROM grants WHERE tenant_id = ? AND ${holds} AND (turn_id = '' OR EXISTS (
      SELECT 1 FROM turns WHERE turns.tenant_id = grants.tenant_id AND turns.id = grants.turn_id
        AND turns.state IN ('queued', 'running', 'waiting')))
    ORDER BY position DESC ${atMost}`,
    [tenantId, now, now, Math.max(0, limit)],
  );
  return rows.map(toGrant);
}

export function* revokeGrant(moment: Moment, id: string, by: string): Verb<boolean> {
  const row = yield* first<StoredGrant>(
    `DELETE FROM grants WHERE tenant_id = ? AND id = ? RETURNING ${columns}`,
    [moment.tenantId, typedId(id)],
  );
  if (!row) return false;
  yield* trace(moment, "grant-remove", toGrant(row), by);
  return true;
}

export function* pruneGrants({ tenantId, now }: Moment, limit: number): Verb<number> {
  const rows = yield* all(
    `DELETE FROM grants WHERE tenant_id = ? AND position IN (
      SELECT position FROM grants WHERE tenant_id = ? AND expires_at IS NOT NULL AND expires_at <= ?
      ORDER BY expires_at ${atMost}) RETURNING id`,
    [tenantId, tenantId, now, Math.max(0, limit)],
  );
  return rows.length;
}

/** Without its words: audit records are permanent and contain nothing that people said. */
function* trace(moment: Moment, action: string, grant: Grant, actor: string): Verb<void> {
  const { now, ids } = moment;
  const { tool, agentId, scope, turnId } = grant;
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor,
    action,
    resourceType: "grant",
    resourceId: grant.id,
    runId: turnId,
    metadata: { tool, agentId, scope, turnId, digest: digestOfText(moment.seal, grant.key) },
    createdAt: now,
  });
}

const toGrant = (row: StoredGrant): Grant => ({
  id: row.id,
  scope: row.scope,
  tool: row.tool,
  agentId: row.agent_id,
  key: row.key,
  shown: row.shown,
  turnId: row.turn_id === "" ? null : row.turn_id,
  ...(row.session_key !== "" && { sessionKey: row.session_key }),
  grantedBy: row.granted_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
