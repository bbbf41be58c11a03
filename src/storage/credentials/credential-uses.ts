/** What is known of the use of credentials: rows of their own, because those of the config have no other. */
import { formatCredentialKey } from "./credential-key.ts";
import { unused, type CredentialKey, type CredentialUse } from "./credentials.ts";
import { all, change, first, type Verb } from "../sqlite/database.ts";

interface UseRow {
  id: string;
  last_used_at: string | null;
  error_count: number;
  billing_count: number;
  cooldown_until: string | null;
  disabled_until: string | null;
  disabled_reason: string | null;
  last_error: string | null;
  last_error_at: string | null;
}

const columns =
  "last_used_at, error_count, billing_count, cooldown_until, disabled_until, disabled_reason, last_error, last_error_at";

const selectUses = `SELECT id, ${columns} FROM credential_uses WHERE tenant_id = ?`;

export function* readUses(tenantId: string): Verb<ReadonlyMap<string, CredentialUse>> {
  const rows = yield* all<UseRow>(selectUses, [tenantId]);
  return new Map(rows.map((row) => [row.id, toUse(row)]));
}

export function* readUse(tenantId: string, key: CredentialKey): Verb<CredentialUse> {
  const row = yield* first<UseRow>(
    `SELECT id, ${columns} FROM credential_uses WHERE tenant_id = ? AND id = ?`,
    [tenantId, formatCredentialKey(key)],
  );
  return row ? toUse(row) : unused();
}

export function* noteUse(
  tenantId: string,
  key: CredentialKey & { provider: string },
  alter: (use: CredentialUse) => CredentialUse,
): Verb<CredentialUse> {
  const use = alter(yield* readUse(tenantId, key));
  yield* change(
    `INSERT INTO credential_uses (tenant_id, id, provider, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, id) DO UPDATE SET provider = excluded.provider, last_used_at = excluded.last_used_at,
      error_count = excluded.error_count, billing_count = excluded.billing_count,
      cooldown_until = excluded.cooldown_until, disabled_until = excluded.disabled_until,
      disabled_reason = excluded.disabled_reason, last_error = excluded.last_error,
      last_error_at = excluded.last_error_at`,
    [
      tenantId,
      formatCredentialKey(key),
      key.provider,
      use.lastUsedAt,
      use.errorCount,
      use.billingCount,
      use.cooldownUntil,
      use.disabledUntil,
      use.disabledReason,
      use.lastError,
      use.lastErrorAt,
    ],
  );
  return use;
}

const toUse = (row: UseRow): CredentialUse => ({
  lastUsedAt: row.last_used_at,
  errorCount: row.error_count,
  billingCount: row.billing_count,
  cooldownUntil: row.cooldown_until,
  disabledUntil: row.disabled_until,
  disabledReason: row.disabled_reason,
  lastError: row.last_error,
  lastErrorAt: row.last_error_at,
});
