/** Who may write to the assistant: unknown senders with their codes, and admitted ones. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { insertAudits } from "../audit/audit-chain.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { codeKey, countTry, lockedUntil } from "./code-tries.ts";
import { all, change, first, type Database, type SqlValue, type Verb } from "../sqlite/database.ts";
import type { AllowedSender, PairingRequest, PairingStore } from "./people.ts";
import { createOwnerStore } from "./owner-store.ts";

type Verbs = { [Name in keyof PairingStore]: Parameters<PairingStore[Name]> };
type Outcome<Name extends keyof PairingStore> = Verb<Awaited<ReturnType<PairingStore[Name]>>>;

export function createPairingStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): PairingStore {
  const { database, clock, ids, tenantId, seal } = parts;
  const api = (): Api => ({ tenantId, nowMs: clock.now(), ids, seal });
  return {
    ...createOwnerStore(parts),
    request: (sender, limits, makeCode) =>
      database.write(() => request(api(), { sender, limits, makeCode }), { sync: "now" }),
    list: (query) => database.write(() => list(api(), query), { sync: "later" }),
    approve: (attempt) => database.write(() => approve(api(), attempt), { sync: "now" }),
    isAllowed: (sender) => database.read(() => isAllowed(tenantId, sender)),
    listAllowed: (query) => database.read(() => listAllowed(tenantId, query)),
    allow: (senders) => database.write(() => allow(api(), senders, "pairing-allow"), { sync: "now" }),
    revoke: (sender) => database.write(() => revoke(api(), sender), { sync: "now" }),
  };
}

interface Api {
  tenantId: string;
  nowMs: number;
  ids: Ids;
  seal: AuditSeal | undefined;
}

interface RequestRow {
  channel: string;
  account_id: string;
  sender_id: string;
  code: string;
  meta_json: string;
  created_at: string;
  last_seen_at: string;
}

const columns = "channel, account_id, sender_id, code, meta_json, created_at, last_seen_at";
const pairingScope = "pairing";
const textOf = (ms: number) => new Date(ms).toISOString();
/** Later years have more digits and would not sort. */
const latestMs = Date.UTC(9999, 11, 31);

function* request(
  api: Api,
  work: { sender: Verbs["request"][0]; limits: Verbs["request"][1]; makeCode: () => string },
): Outcome<"request"> {
  const { tenantId, nowMs } = api;
  const { channel, accountId, senderId, meta } = work.sender;
  const pending = yield* listPending(api, { channel, accountId, mostOn: () => work.limits.max });
  const known = yield* first<RequestRow>(
    `UPDATE pairing_requests SET last_seen_at = ?, meta_json = ?
    WHERE tenant_id = ? AND channel = ? AND account_id = ? AND sender_id = ? RETURNING ${columns}`,
    [textOf(nowMs), JSON.stringify(meta), tenantId, channel, accountId, senderId],
  );
  if (known) return { type: "pending", request: toRequest(known), isNew: false };

  if (pending.length >= work.limits.max) return { type: "full" };
  for (let tries = 0; tries < 100; tries++) {
    const code = work.makeCode();
    const row = yield* first<RequestRow>(
      `INSERT INTO pairing_requests (tenant_id, channel, account_id, sender_id, code, code_key, meta_json, created_at,
        last_seen_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, code_key) DO NOTHING RETURNING ${columns}`,
      [
        tenantId,
        channel,
        accountId,
        senderId,
        code,
        codeKey(code),
        JSON.stringify(meta),
        textOf(nowMs),
        textOf(nowMs),
        textOf(Math.min(nowMs + work.limits.ttlMs, latestMs)),
      ],
    );
    // Another sender has this code: try the next one.
    if (row) return { type: "pending", request: toRequest(row), isNew: true };
  }
  throw new Error("every code that was made belongs to somebody else");
}

function* list(api: Api, query: Verbs["list"][0]): Outcome<"list"> {
  const pending = yield* listPending(api, query);
  return pending.map(toRequest);
}

function* approve(api: Api, attempt: Verbs["approve"][0]): Outcome<"approve"> {
  yield* listPending(api, attempt);
  const until = yield* lockedUntil(api, pairingScope, attempt.maxTries);
  if (until !== undefined) return { type: "locked", until };

  const { where, parameters } = placeOf(api.tenantId, attempt);
  const row = yield* first<RequestRow>(
    `DELETE FROM pairing_requests WHERE ${where} AND code_key = ? RETURNING ${columns}`,
    [...parameters, codeKey(attempt.code)],
  );
  if (!row) {
    yield* countTry(api, pairingScope);
    return { type: "unknown" };
  }
  const approved = toRequest(row);
  const { channel, accountId, senderId } = approved;
  yield* allow(api, [{ channel, accountId, senderId, by: attempt.by }], "pairing-approve");
  return { type: "approved", request: approved };
}

function* isAllowed(
  tenantId: string,
  { channel, accountId, senderId }: Verbs["isAllowed"][0],
): Verb<boolean> {
  const row = yield* first(
    `SELECT sender_id FROM allowed_senders WHERE tenant_id = ? AND channel = ? AND sender_id = ?
      AND (every_account = 1 OR account_id = ?) LIMIT 1`,
    [tenantId, channel, senderId, accountId],
  );
  return row !== undefined;
}

/** Senders of an account include those of every account. */
function* listAllowed(tenantId: string, query: Verbs["listAllowed"][0]): Outcome<"listAllowed"> {
  const { where, parameters } = placeOf(tenantId, query, "(every_account = 1 OR account_id = ?)");
  const rows = yield* all<{
    channel: string;
    sender_id: string;
    every_account: number;
    account_id: string;
    added_by: string;
    added_at: string;
  }>(
    `SELECT channel, sender_id, every_account, account_id, added_by, added_at FROM allowed_senders
    WHERE ${where} ORDER BY added_at, channel, account_id, sender_id`,
    parameters,
  );
  return rows.map((row): AllowedSender => ({
    channel: row.channel,
    accountId: row.every_account === 1 ? null : row.account_id,
    senderId: row.sender_id,
    addedAt: row.added_at,
    by: row.added_by,
  }));
}

function* allow(api: Api, senders: Verbs["allow"][0], action: string): Verb<void> {
  const { tenantId, nowMs } = api;
  for (const { channel, accountId, senderId, by } of senders)
    yield* change(
      `INSERT INTO allowed_senders (tenant_id, channel, sender_id, every_account, account_id, added_by, added_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [tenantId, channel, senderId, accountId === null ? 1 : 0, accountId ?? "", by, textOf(nowMs)],
    );
  for (const sender of senders) yield* trace(api, action, sender, sender.by);
}

function* revoke(api: Api, sender: Verbs["revoke"][0]): Verb<boolean> {
  const { tenantId } = api;
  const { channel, accountId, senderId } = sender;
  let found = false;
  for (const table of ["allowed_senders", "pairing_requests"]) {
    const { where, parameters } = placeOf(tenantId, {
      channel,
      ...(accountId === null ? {} : { accountId }),
    });
    const rows = yield* all(`DELETE FROM ${table} WHERE ${where} AND sender_id = ? RETURNING sender_id`, [
      ...parameters,
      senderId,
    ]);
    found ||= rows.length > 0;
  }
  if (found) yield* trace(api, "pairing-revoke", sender, "owner");
  return found;
}

/** Records permanently who was admitted, and by whom. */
function* trace(
  { tenantId, nowMs, ids, seal }: Api,
  action: string,
  { channel, accountId, senderId }: Verbs["revoke"][0],
  actor: string,
): Verb<void> {
  yield* insertAudits({ tenantId, seal }, [
    {
      id: ids.make("a"),
      actor,
      action,
      resourceType: "sender",
      resourceId: `${channel}:${senderId}`,
      metadata: { accountId },
      createdAt: textOf(nowMs),
    },
  ]);
}

/** Deletes expired requests, and those above an account's limit: the first ones stay. */
function* listPending({ tenantId, nowMs }: Api, query: Verbs["list"][0]): Verb<RequestRow[]> {
  yield* change("DELETE FROM pairing_requests WHERE tenant_id = ? AND expires_at <= ?", [
    tenantId,
    textOf(nowMs),
  ]);
  const { where, parameters } = placeOf(tenantId, query);
  const rows = yield* all<RequestRow>(
    `SELECT ${columns} FROM pairing_requests WHERE ${where} ORDER BY created_at, channel, account_id, sender_id`,
    parameters,
  );
  const counts = new Map<string, number>();
  const kept: RequestRow[] = [];
  for (const row of rows) {
    const account = JSON.stringify([row.channel, row.account_id]);
    const count = (counts.get(account) ?? 0) + 1;
    counts.set(account, count);
    if (count <= query.mostOn(row.channel)) kept.push(row);
    else yield* forget(tenantId, row);
  }
  return kept;
}

function* forget(tenantId: string, row: RequestRow): Verb<void> {
  yield* change(
    "DELETE FROM pairing_requests WHERE tenant_id = ? AND channel = ? AND account_id = ? AND sender_id = ?",
    [tenantId, row.channel, row.account_id, row.sender_id],
  );
}

function placeOf(
  tenantId: string,
  { channel, accountId }: { channel?: string; accountId?: string },
  ofAccount = "account_id = ?",
): { where: string; parameters: SqlValue[] } {
  const conditions = ["tenant_id = ?"];
  const parameters: SqlValue[] = [tenantId];
  if (channel !== undefined) {
    conditions.push("channel = ?");
    parameters.push(channel);
  }
  if (accountId !== undefined) {
    conditions.push(ofAccount);
    parameters.push(accountId);
  }
  return { where: conditions.join(" AND "), parameters };
}

function toRequest(row: RequestRow): PairingRequest {
  return {
    channel: row.channel,
    accountId: row.account_id,
    senderId: row.sender_id,
    code: row.code,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    meta: JSON.parse(row.meta_json) as Record<string, string>,
  };
}
