/** The owner's own accounts on the channels, claimed by a one-time code. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { insertAudit } from "../audit/audit-chain.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { codeKey, countTry, lockedUntil } from "./code-tries.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";
import type { PairingStore } from "./people.ts";

type OwnerVerbs = "openClaim" | "claimOwner" | "isOwner" | "listOwners" | "removeOwner";
type ClaimOutcome = Awaited<ReturnType<PairingStore["claimOwner"]>>;

export function createOwnerStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): Pick<PairingStore, OwnerVerbs> {
  const { database, clock, ids, tenantId, seal } = parts;
  const api = (): Api => ({ tenantId, nowMs: clock.now(), ids, seal });
  return {
    openClaim: (claim) => database.write(() => openClaim(api(), claim), { sync: "now" }),
    claimOwner: (attempt) => database.write(() => claimOwner(api(), attempt), { sync: "now" }),
    async isOwner(channel, senderId) {
      const row = await database.read(() =>
        first("SELECT sender_id FROM owners WHERE tenant_id = ? AND channel = ? AND sender_id = ?", [
          tenantId,
          channel,
          senderId,
        ]),
      );
      return row !== undefined;
    },
    async listOwners() {
      const rows = await database.read(() =>
        all<{ channel: string; sender_id: string; claimed_at: string }>(
          `SELECT channel, sender_id, claimed_at FROM owners WHERE tenant_id = ?
          ORDER BY claimed_at, channel, sender_id`,
          [tenantId],
        ),
      );
      return rows.map(({ channel, sender_id, claimed_at }) => ({
        channel,
        senderId: sender_id,
        claimedAt: claimed_at,
      }));
    },
    removeOwner: (channel, senderId) =>
      database.write(() => removeOwner(api(), channel, senderId), { sync: "now" }),
  };
}

interface Api {
  tenantId: string;
  nowMs: number;
  ids: Ids;
  seal: AuditSeal | undefined;
}

const inAll = "owner";
/** Scopes are compared as a whole, so no prefix matters. */
const ofSender = (channel: string, senderId: string) => `owner:${JSON.stringify([channel, senderId])}`;

/** Wrong codes were guesses at the older code, so they no longer count. */
function* openClaim({ tenantId, nowMs }: Api, { code, ttlMs }: { code: string; ttlMs: number }): Verb<void> {
  yield* change("DELETE FROM code_tries WHERE tenant_id = ? AND scope LIKE 'owner%'", [tenantId]);
  yield* change(
    `INSERT INTO owner_claims (tenant_id, code_key, expires_at) VALUES (?, ?, ?)
    ON CONFLICT (tenant_id) DO UPDATE SET code_key = excluded.code_key, expires_at = excluded.expires_at`,
    [tenantId, codeKey(code), new Date(nowMs + ttlMs).toISOString()],
  );
}

function* claimOwner(api: Api, attempt: Parameters<PairingStore["claimOwner"]>[0]): Verb<ClaimOutcome> {
  const { tenantId, nowMs } = api;
  const { code, channel, senderId, maxTries } = attempt;
  const now = new Date(nowMs).toISOString();
  const sender = ofSender(channel, senderId);
  const locked =
    (yield* lockedUntil(api, sender, maxTries)) ?? (yield* lockedUntil(api, inAll, maxTries * 10));
  if (locked !== undefined) return { type: "locked" };

  const claim = yield* first(
    "DELETE FROM owner_claims WHERE tenant_id = ? AND code_key = ? AND expires_at > ? RETURNING tenant_id",
    [tenantId, codeKey(code), now],
  );
  if (!claim) {
    yield* countTry(api, sender);
    yield* countTry(api, inAll);
    return { type: "wrong" };
  }
  yield* change(
    "INSERT INTO owners (tenant_id, channel, sender_id, claimed_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [tenantId, channel, senderId, now],
  );
  yield* trace(api, "owner-claim", `${channel}:${senderId}`, `${channel}:${senderId}`);
  return { type: "claimed" };
}

function* removeOwner(api: Api, channel: string, senderId: string): Verb<boolean> {
  const { tenantId } = api;
  const row = yield* first(
    "DELETE FROM owners WHERE tenant_id = ? AND channel = ? AND sender_id = ? RETURNING sender_id",
    [tenantId, channel, senderId],
  );
  if (row) yield* trace(api, "owner-remove", `${channel}:${senderId}`, "owner");
  return row !== undefined;
}

function* trace(
  { tenantId, nowMs, ids, seal }: Api,
  action: string,
  resourceId: string,
  actor: string,
): Verb<void> {
  yield* insertAudit(
    { tenantId, seal },
    {
      id: ids.make("a"),
      actor,
      action,
      resourceType: "owner",
      resourceId,
      metadata: {},
      createdAt: new Date(nowMs).toISOString(),
    },
  );
}
