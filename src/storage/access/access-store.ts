/** Admitted tokens, devices and browsers, over any database. Only digests of their secrets are stored. */
import type { AuditSeal } from "../audit/audit-seal.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import {
  accessColumns,
  callerIdOf,
  isLive,
  textOf,
  toAccess,
  type AccessMoment,
  type AccessRow,
} from "./access-row.ts";
import type { AccessRecord, AccessStore } from "./access.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";
import { createDeviceRequests } from "./device-requests.ts";
import { putAccess, traceAccess } from "./put-access.ts";

type Outcome<Name extends keyof AccessStore> = Verb<Awaited<ReturnType<AccessStore[Name]>>>;

const touchEveryMs = 60_000;
export function createAccessStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): AccessStore {
  const { database, clock, ids, tenantId, seal } = parts;
  const moment = (): AccessMoment => ({ tenantId, ids, nowMs: clock.now(), seal });
  return {
    ...createDeviceRequests(database, moment),
    put(entry) {
      const at = moment();
      return database.write(() => putAccess(at, { ...entry, publicKey: null }), { sync: "now" });
    },
    findByDigest: (digest) => database.read(() => findLive(moment(), "secret_digest = ?", digest)),
    findDevice: (publicKey) => database.read(() => findLive(moment(), "public_key = ?", publicKey)),
    get: (id) => database.read(() => get(tenantId, id)),
    list: (query = {}) => database.read(() => list(moment(), query)),
    async touch(id, expiresAt) {
      const at = moment();
      await database.write(() => touch(at, id, expiresAt), { sync: "later", unless: () => wasUsed(at, id) });
    },
    revoke(id, actor, sparing = {}) {
      const at = moment();
      return database.write(() => revoke(at, id, actor, sparing), { sync: "now" });
    },
    gatewayId() {
      const id = ids.make("g");
      return database.write(() => gatewayId(tenantId, id), {
        sync: "now",
        unless: () => findGatewayId(tenantId),
      });
    },
  };
}

function* findLive({ tenantId, nowMs }: AccessMoment, which: string, value: string): Outcome<"findByDigest"> {
  const row = yield* first<AccessRow>(
    `SELECT ${accessColumns} FROM access WHERE tenant_id = ? AND ${which} AND ${isLive}`,
    [tenantId, value, textOf(nowMs)],
  );
  return row && toAccess(row);
}

function* get(tenantId: string, id: string): Outcome<"get"> {
  const row = yield* first<AccessRow>(`SELECT ${accessColumns} FROM access WHERE tenant_id = ? AND id = ?`, [
    tenantId,
    id,
  ]);
  return row && toAccess(row);
}

function* list({ tenantId, nowMs }: AccessMoment, { all: every }: { all?: boolean }): Outcome<"list"> {
  const rows = yield* all<AccessRow>(
    `SELECT ${accessColumns} FROM access WHERE tenant_id = ? ${every ? "" : `AND ${isLive}`}
    ORDER BY created_at DESC, id DESC LIMIT 1000`,
    every ? [tenantId] : [tenantId, textOf(nowMs)],
  );
  return rows.map(toAccess);
}

/** Used within the last minute: nothing needs to be written. */
function* wasUsed({ tenantId, nowMs }: AccessMoment, id: string): Verb<boolean | undefined> {
  const row = yield* first("SELECT id FROM access WHERE tenant_id = ? AND id = ? AND last_used_at > ?", [
    tenantId,
    id,
    textOf(nowMs - touchEveryMs),
  ]);
  return row ? true : undefined;
}

function* touch({ tenantId, nowMs }: AccessMoment, id: string, expiresAt: string | undefined): Verb<boolean> {
  // Using an expired or revoked one does not revive it.
  yield* change(
    `UPDATE access SET last_used_at = ?, expires_at = coalesce(?, expires_at)
    WHERE tenant_id = ? AND id = ? AND ${isLive} AND (last_used_at IS NULL OR last_used_at <= ?)`,
    [textOf(nowMs), expiresAt ?? null, tenantId, id, textOf(nowMs), textOf(nowMs - touchEveryMs)],
  );
  return true;
}

/** Accesses that this one created depend on it: revoking it revokes the whole chain. */
function* revoke(
  moment: AccessMoment,
  id: string,
  actor: string,
  sparing: NonNullable<Parameters<AccessStore["revoke"]>[2]>,
): Outcome<"revoke"> {
  const spared = [sparing.kind ?? "", ...(sparing.ids ?? [])];
  const isNotSpared = `kind <> ?${" AND id <> ?".repeat(spared.length - 1)}`;
  const { tenantId, nowMs } = moment;
  const now = textOf(nowMs);
  const revoked: AccessRecord[] = [];
  const found = yield* first<AccessRow>(
    `UPDATE access SET revoked_at = ? WHERE tenant_id = ? AND id = ? AND ${isLive} RETURNING ${accessColumns}`,
    [now, tenantId, id, now],
  );
  const open = found ? [toAccess(found)] : [];
  if (found?.kind === "browser" && found.way === "device") {
    // A browser came by a passkey, which would let it in again at once.
    const keys = yield* all<AccessRow>(
      `UPDATE access SET revoked_at = ? WHERE tenant_id = ? AND id = ? AND ${isNotSpared} AND revoked_at IS NULL
      RETURNING ${accessColumns}`,
      [now, tenantId, found.created_by.replace(/^device:/, ""), ...spared],
    );
    open.push(...keys.map(toAccess));
  }
  for (let next = open.shift(); next; next = open.shift()) {
    revoked.push(next);
    yield* traceAccess(moment, "access-revoke", next, actor);
    const made = yield* all<AccessRow>(
      `UPDATE access SET revoked_at = ? WHERE tenant_id = ? AND created_by = ? AND ${isNotSpared}
        AND revoked_at IS NULL
      RETURNING ${accessColumns}`,
      [now, tenantId, callerIdOf(next), ...spared],
    );
    open.push(...made.map(toAccess));
  }
  return revoked;
}

function* findGatewayId(tenantId: string): Verb<string | undefined> {
  const row = yield* first<{ id: string }>("SELECT id FROM gateway_ids WHERE tenant_id = ?", [tenantId]);
  return row?.id;
}

function* gatewayId(tenantId: string, id: string): Verb<string> {
  yield* change("INSERT INTO gateway_ids (tenant_id, id) VALUES (?, ?) ON CONFLICT DO NOTHING", [
    tenantId,
    id,
  ]);
  return (yield* findGatewayId(tenantId)) ?? id;
}
