/** Passkeys over any database: a row of `access` says whom it identifies, and a second row holds the key. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { accessColumns, isLive, textOf, toAccess, type AccessMoment, type AccessRow } from "./access-row.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";
import type { NewPasskey, Passkey, PasskeyStore } from "./passkeys.ts";
import { putAccess } from "./put-access.ts";

type Outcome<Name extends keyof PasskeyStore> = Verb<Awaited<ReturnType<PasskeyStore[Name]>>>;

export function createPasskeyStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): PasskeyStore {
  const { database, clock, ids, tenantId, seal } = parts;
  const moment = (): AccessMoment => ({ tenantId, ids, nowMs: clock.now(), seal });
  return {
    add(passkey) {
      const at = moment();
      return database.write(() => add(at, passkey), { sync: "now" });
    },
    find: (credentialId) => database.read(() => find(moment(), credentialId)),
    listFor: (rpId) => database.read(() => listFor(moment(), rpId)),
    use: (credentialId, counter) =>
      database.write(() => use(tenantId, credentialId, counter), { sync: "now" }),
  };
}

function* add(moment: AccessMoment, passkey: NewPasskey): Outcome<"add"> {
  const { tenantId } = moment;
  const { credentialId, rpId, publicKey, counter, transports } = passkey;
  const known = yield* first("SELECT credential_id FROM passkeys WHERE tenant_id = ? AND credential_id = ?", [
    tenantId,
    credentialId,
  ]);
  if (known) return { type: "known" };
  const put = yield* putAccess(moment, {
    ...passkey.access,
    kind: "passkey",
    way: "passkey",
    secretDigest: null,
    publicKey: null,
  });
  if (put.type === "full") return put;
  yield* change(
    `INSERT INTO passkeys (tenant_id, credential_id, access_id, rp_id, public_key, counter, transports_json)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [tenantId, credentialId, put.access.id, rpId, publicKey, counter, JSON.stringify(transports)],
  );
  // Deletes keys whose access is gone.
  yield* change(
    "DELETE FROM passkeys WHERE tenant_id = ? AND access_id NOT IN (SELECT id FROM access WHERE tenant_id = ?)",
    [tenantId, tenantId],
  );
  return put;
}

interface PasskeyRow extends AccessRow {
  credential_id: string;
  rp_id: string;
  passkey: string;
  counter: number;
  transports_json: string;
}

function* find({ tenantId, nowMs }: AccessMoment, credentialId: string): Outcome<"find"> {
  const row = yield* first<PasskeyRow>(
    `SELECT ${accessColumns}, credential_id, rp_id, passkeys.public_key AS passkey, counter, transports_json
    FROM passkeys JOIN access ON access.tenant_id = passkeys.tenant_id AND access.id = passkeys.access_id
    WHERE passkeys.tenant_id = ? AND credential_id = ? AND ${isLive}`,
    [tenantId, credentialId, textOf(nowMs)],
  );
  return row && toPasskey(row);
}

function* listFor({ tenantId, nowMs }: AccessMoment, rpId: string): Outcome<"listFor"> {
  const rows = yield* all<Pick<PasskeyRow, "credential_id" | "transports_json">>(
    `SELECT credential_id, transports_json
    FROM passkeys JOIN access ON access.tenant_id = passkeys.tenant_id AND access.id = passkeys.access_id
    WHERE passkeys.tenant_id = ? AND rp_id = ? AND ${isLive} LIMIT 100`,
    [tenantId, rpId, textOf(nowMs)],
  );
  return rows.map((row) => ({ credentialId: row.credential_id, transports: transportsOf(row) }));
}

/** A key without a counter always reports zero; a counter must rise. */
function* use(tenantId: string, credentialId: string, counter: number): Outcome<"use"> {
  const row = yield* first(
    `UPDATE passkeys SET counter = ? WHERE tenant_id = ? AND credential_id = ?
      AND (counter < ? OR (counter = 0 AND ? = 0)) RETURNING credential_id`,
    [counter, tenantId, credentialId, counter, counter],
  );
  return row !== undefined;
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  access: toAccess(row),
  credentialId: row.credential_id,
  rpId: row.rp_id,
  publicKey: row.passkey,
  counter: row.counter,
  transports: transportsOf(row),
});

const transportsOf = ({ transports_json }: Pick<PasskeyRow, "transports_json">): string[] =>
  JSON.parse(transports_json) as string[];
