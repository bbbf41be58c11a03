/** Requests of devices for access, and the owner's answers. */
import { textOf, type AccessMoment } from "./access-row.ts";
import type { AccessStore, DeviceRequest } from "./access.ts";
import { insertAudit } from "../audit/audit-chain.ts";
import { codeKey } from "./code-tries.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";
import { putAccess } from "./put-access.ts";

type Verbs = Pick<AccessStore, "askForDevice" | "listPending" | "approveDevice" | "denyDevice">;
type Outcome<Name extends keyof Verbs> = Verb<Awaited<ReturnType<Verbs[Name]>>>;

const waitMs = 3_600_000;
const mostWaiting = 10;

export function createDeviceRequests(database: Database, moment: () => AccessMoment): Verbs {
  return {
    askForDevice(device, makeCode) {
      const at = moment();
      return database.write(() => ask(at, device, makeCode), { sync: "now" });
    },
    listPending() {
      const { tenantId, nowMs } = moment();
      return database.read(() => listPending(tenantId, textOf(nowMs)));
    },
    approveDevice(idOrCode, as) {
      const at = moment();
      return database.write(() => approve(at, idOrCode, as), { sync: "now" });
    },
    denyDevice(idOrCode, actor) {
      const at = moment();
      return database.write(() => deny(at, idOrCode, actor), { sync: "now" });
    },
  };
}

interface RequestRow {
  id: string;
  public_key: string;
  name: string;
  wants: string;
  code: string;
  address: string;
  created_at: string;
  expires_at: string;
}

const columns = "id, public_key, name, wants, code, address, created_at, expires_at";

function* ask(
  { tenantId, ids, nowMs }: AccessMoment,
  { publicKey, name, wants, address }: Parameters<Verbs["askForDevice"]>[0],
  makeCode: () => string,
): Outcome<"askForDevice"> {
  const now = textOf(nowMs);
  yield* change("DELETE FROM device_requests WHERE tenant_id = ? AND expires_at <= ?", [tenantId, now]);
  // Keeps the device's first description: the owner may have read it already.
  const known = yield* first<RequestRow>(
    `SELECT ${columns} FROM device_requests WHERE tenant_id = ? AND public_key = ?`,
    [tenantId, publicKey],
  );
  if (known) return { type: "pending", request: toRequest(known), isNew: false };
  const waiting = yield* listPending(tenantId, now);
  if (waiting.length >= mostWaiting) return { type: "full" };
  for (let tries = 0; tries < 100; tries++) {
    const code = makeCode();
    const row = yield* first<RequestRow>(
      `INSERT INTO device_requests (tenant_id, public_key, id, name, wants, code, code_key, address, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING ${columns}`,
      [
        tenantId,
        publicKey,
        ids.make("r"),
        name,
        wants,
        code,
        codeKey(code),
        address,
        now,
        textOf(nowMs + waitMs),
      ],
    );
    // Another device has this code: try the next one.
    if (row) return { type: "pending", request: toRequest(row), isNew: true };
  }
  throw new Error("every code that was made belongs to another device");
}

function* listPending(tenantId: string, now: string): Outcome<"listPending"> {
  const rows = yield* all<RequestRow>(
    `SELECT ${columns} FROM device_requests WHERE tenant_id = ? AND expires_at > ? ORDER BY created_at, id`,
    [tenantId, now],
  );
  return rows.map(toRequest);
}

function* approve(
  moment: AccessMoment,
  idOrCode: string,
  as: Parameters<Verbs["approveDevice"]>[1],
): Outcome<"approveDevice"> {
  const { tenantId, nowMs } = moment;
  const request = yield* find(moment, idOrCode);
  if (!request) return { type: "unknown" };
  yield* change(
    "UPDATE access SET revoked_at = ? WHERE tenant_id = ? AND public_key = ? AND revoked_at IS NULL",
    [textOf(nowMs), tenantId, request.publicKey],
  );
  const { role, scope, createdBy, expiresAt, boundTo = null, name = request.name } = as;
  const outcome = yield* putAccess(moment, {
    kind: "device",
    role,
    scope,
    createdBy,
    expiresAt,
    boundTo,
    name,
    way: "device",
    secretDigest: null,
    publicKey: request.publicKey,
  });
  if (outcome.type === "full") return outcome;
  yield* take(tenantId, request.id);
  return { type: "approved", access: outcome.access };
}

function* deny(moment: AccessMoment, idOrCode: string, actor: string): Outcome<"denyDevice"> {
  const { tenantId, ids, nowMs } = moment;
  const request = yield* find(moment, idOrCode);
  if (!request) return undefined;
  yield* take(tenantId, request.id);
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor,
    action: "access-deny",
    resourceType: "access",
    resourceId: request.id,
    metadata: { kind: "device", wants: request.wants },
    createdAt: textOf(nowMs),
  });
  return request;
}

function* find({ tenantId, nowMs }: AccessMoment, idOrCode: string): Verb<DeviceRequest | undefined> {
  const row = yield* first<RequestRow>(
    `SELECT ${columns} FROM device_requests WHERE tenant_id = ? AND (id = ? OR code_key = ?) AND expires_at > ?`,
    [tenantId, idOrCode, codeKey(idOrCode), textOf(nowMs)],
  );
  return row && toRequest(row);
}

function* take(tenantId: string, id: string): Verb<void> {
  yield* change("DELETE FROM device_requests WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

const toRequest = (row: RequestRow): DeviceRequest => ({
  id: row.id,
  publicKey: row.public_key,
  name: row.name,
  wants: row.wants,
  code: row.code,
  address: row.address,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
