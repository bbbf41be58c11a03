/** Credentials as rows, what is known of their use, and the order to try them in. */
import type { Clock } from "../../infra/clock.ts";
import { formatCredentialKey, parseCredentialKey } from "./credential-key.ts";
import { noteUse, readUse, readUses } from "./credential-uses.ts";
import {
  unused,
  type CredentialDraft,
  type CredentialKey,
  type CredentialOutlook,
  type CredentialRecord,
  type CredentialStore,
  type CredentialType,
  type CredentialUse,
} from "./credentials.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";

export function createCredentialStore(parts: {
  database: Database;
  clock: Clock;
  tenantId: string;
}): CredentialStore {
  const { database, clock, tenantId } = parts;
  return {
    put(draft) {
      const nowMs = clock.now();
      return database.write(() => put(tenantId, draft, nowMs), { sync: "now" });
    },
    get: (key) => database.read(() => find(tenantId, key)),
    list: () => database.read(() => list(tenantId)),
    remove: (key) => database.write(() => remove(tenantId, key), { sync: "now" }),
    renew(key, fresh) {
      const now = new Date(clock.now()).toISOString();
      return database.write(() => renew(tenantId, key, { ...fresh, now }), { sync: "now" });
    },
    uses: () => database.read(() => readUses(tenantId)),
    noteUse: (key, alter) => database.write(() => noteUse(tenantId, key, alter), { sync: "later" }),
    orders: (agentId) => database.read(() => orders(tenantId, agentId)),
    setOrder: (agentId, provider, ids) =>
      database.write(() => setOrder(tenantId, agentId, provider, ids), { sync: "now" }),
    outlook: (agentId) => database.read(() => outlook(tenantId, agentId)),
    lastGood: (agentId) => database.read(() => lastGood(tenantId, agentId)),
  };
}

interface CredentialRow {
  agent_id: string;
  id: string;
  provider: string;
  type: CredentialType;
  label: string | null;
  expires_at: string | null;
  source: string;
  sealed: string;
  version: number;
  created_at: string;
  updated_at: string;
}

const columns =
  "agent_id, id, provider, type, label, expires_at, source, sealed, version, created_at, updated_at";
const ofKey = "tenant_id = ? AND agent_id = ? AND id = ?";
const keyValues = (tenantId: string, { agentId, id }: CredentialKey) => [tenantId, agentId ?? "", id];

function* put(tenantId: string, draft: CredentialDraft, nowMs: number): Verb<CredentialRecord> {
  const now = new Date(nowMs).toISOString();
  yield* change("DELETE FROM credential_uses WHERE tenant_id = ? AND id = ?", [
    tenantId,
    formatCredentialKey(draft),
  ]);
  const { provider, type, label, expiresAt, source, sealed } = draft;
  const row = yield* first<CredentialRow>(
    // Versions begin with the time, so that one that was removed and comes back never has an old one again.
    `INSERT INTO credentials (tenant_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, agent_id, id) DO UPDATE SET provider = excluded.provider, type = excluded.type,
      label = excluded.label, expires_at = excluded.expires_at, source = excluded.source, sealed = excluded.sealed,
      version = CASE WHEN excluded.version > credentials.version THEN excluded.version ELSE credentials.version + 1 END,
      updated_at = excluded.updated_at
    RETURNING ${columns}`,
    [...keyValues(tenantId, draft), provider, type, label, expiresAt, source, sealed, nowMs, now, now],
  );
  if (!row) throw new Error("an insert gave no row back");
  return toRecord(row, yield* readUse(tenantId, draft));
}

function* find(tenantId: string, key: CredentialKey): Verb<CredentialRecord | undefined> {
  const row = yield* first<CredentialRow>(
    `SELECT ${columns} FROM credentials WHERE ${ofKey}`,
    keyValues(tenantId, key),
  );
  return row && toRecord(row, yield* readUse(tenantId, key));
}

function* list(tenantId: string): Verb<CredentialRecord[]> {
  const rows = yield* all<CredentialRow>(selectAll, [tenantId]);
  return toRecords(rows, yield* readUses(tenantId));
}

const selectAll = `SELECT ${columns} FROM credentials WHERE tenant_id = ? ORDER BY provider, id, agent_id`;

const toRecords = (rows: CredentialRow[], uses: ReadonlyMap<string, CredentialUse>): CredentialRecord[] =>
  rows.map((row) => toRecord(row, uses.get(formatCredentialKey(keyOf(row))) ?? unused()));

function* outlook(tenantId: string, agentId: string | null): Verb<CredentialOutlook> {
  const rows = yield* all<CredentialRow>(selectAll, [tenantId]);
  const uses = yield* readUses(tenantId);
  const shared = yield* orders(tenantId, null);
  const own = agentId === null ? shared : yield* orders(tenantId, agentId);
  return { records: toRecords(rows, uses), uses, orders: { own, shared } };
}

function* remove(tenantId: string, key: CredentialKey): Verb<boolean> {
  const row = yield* first<{ provider: string }>(
    `DELETE FROM credentials WHERE ${ofKey} RETURNING provider`,
    keyValues(tenantId, key),
  );
  if (!row) return false;
  yield* change("DELETE FROM credential_uses WHERE tenant_id = ? AND id = ?", [
    tenantId,
    formatCredentialKey(key),
  ]);
  const order = (yield* orders(tenantId, key.agentId))[row.provider] ?? [];
  if (order.includes(key.id)) {
    const rest = order.filter((id) => id !== key.id);
    yield* setOrder(tenantId, key.agentId, row.provider, rest);
  }
  return true;
}

function* renew(
  tenantId: string,
  key: CredentialKey & { version: number },
  fresh: { sealed: string; expiresAt: string | null; now: string },
): Verb<CredentialRecord | undefined> {
  const row = yield* first<CredentialRow>(
    `UPDATE credentials SET sealed = ?, expires_at = ?, updated_at = ?, version = version + 1
    WHERE ${ofKey} AND version = ? RETURNING ${columns}`,
    [fresh.sealed, fresh.expiresAt, fresh.now, ...keyValues(tenantId, key), key.version],
  );
  return row && toRecord(row, yield* readUse(tenantId, key));
}

function* orders(tenantId: string, agentId: string | null): Verb<Record<string, string[]>> {
  const rows = yield* all<{ provider: string; ids_json: string }>(
    "SELECT provider, ids_json FROM credential_orders WHERE tenant_id = ? AND agent_id = ? ORDER BY provider",
    [tenantId, agentId ?? ""],
  );
  return Object.fromEntries(rows.map((row) => [row.provider, JSON.parse(row.ids_json) as string[]]));
}

function* setOrder(
  tenantId: string,
  agentId: string | null,
  provider: string,
  ids: readonly string[],
): Verb<void> {
  yield* change("DELETE FROM credential_orders WHERE tenant_id = ? AND agent_id = ? AND provider = ?", [
    tenantId,
    agentId ?? "",
    provider,
  ]);
  if (ids.length === 0) return;
  yield* change(
    "INSERT INTO credential_orders (tenant_id, agent_id, provider, ids_json) VALUES (?, ?, ?, ?)",
    [tenantId, agentId ?? "", provider, JSON.stringify([...new Set(ids)])],
  );
}

function* lastGood(tenantId: string, agentId: string | null): Verb<Record<string, string>> {
  const rows = yield* all<{ id: string; provider: string }>(
    `SELECT id, provider FROM credential_uses WHERE tenant_id = ? AND last_used_at IS NOT NULL
    ORDER BY last_used_at, id`,
    [tenantId],
  );
  // The later ones overwrite the earlier ones.
  return Object.fromEntries(
    rows
      .map((row) => ({ provider: row.provider, key: parseCredentialKey(row.id) }))
      .filter(({ key }) => key.agentId === agentId)
      .map(({ provider, key }) => [provider, key.id]),
  );
}

const keyOf = (row: CredentialRow): CredentialKey => ({ agentId: row.agent_id || null, id: row.id });

const toRecord = (row: CredentialRow, use: CredentialUse): CredentialRecord => ({
  ...keyOf(row),
  provider: row.provider,
  type: row.type,
  label: row.label,
  expiresAt: row.expires_at,
  source: row.source,
  sealed: row.sealed,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  use,
});
