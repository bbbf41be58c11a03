/** Leases as rows. A released lease keeps its row, so that its fencing number never falls. */
import type { PincerError } from "@pincer/sdk";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { change, first, type Database, type Verb } from "../sqlite/database.ts";
import type { AcquireLease, AcquireOutcome, Fence, HeldLease, LeaseHolder, LeaseStore } from "../stores.ts";

/** Lease writes need no sync: a power cut ends the holders as well, and writes under a fence include its row. */
export function createLeaseStore({
  database,
  clock,
  tenantId,
}: {
  database: Database;
  clock: Clock;
  tenantId: string;
}): LeaseStore {
  return {
    acquire(request) {
      const now = timestamp(clock);
      return database.write(() => acquireLease(tenantId, request, now), { sync: "later" });
    },
    async find(name) {
      const row = await database.read(() => findLease(tenantId, name));
      return row && toHeldLease(row);
    },
    renew(fence, ttlMs) {
      const until = endOf(timestamp(clock), ttlMs);
      return database.write(() => renew(tenantId, fence, until), { sync: "later" });
    },
    release: (fence, when) => database.write(() => release(tenantId, fence), { sync: when ?? "later" }),
  };
}

/** Throws `session/lost-lease` unless the lease is still held under that fence. */
export function* requireLease(tenantId: string, fence: Fence): Verb<void> {
  const row = yield* findLease(tenantId, fence.name);
  if (row?.fencing === fence.fencing && row.holder_json !== null) return;
  throw lostLease();
}

export function lostLease(): PincerError {
  return failure("session/lost-lease", "failure.lost-lease", {}, { hint: "failure.lost-lease.hint" });
}

interface LeaseRow {
  holder_json: string | null;
  fencing: number;
  acquired_at: string;
  expires_at: string;
}

const endOf = (now: string, ttlMs: number): string => new Date(Date.parse(now) + ttlMs).toISOString();

/** See `LeaseStore.acquire`. */
export function* acquireLease(tenantId: string, request: AcquireLease, now: string): Verb<AcquireOutcome> {
  const { name, isStale } = request;
  const until = endOf(now, request.ttlMs);
  const holder = JSON.stringify(request.holder);
  const free = yield* first<{ fencing: number }>(
    `UPDATE leases SET holder_json = ?, fencing = fencing + 1, acquired_at = ?, expires_at = ?
    WHERE tenant_id = ? AND name = ? AND holder_json IS NULL RETURNING fencing`,
    [holder, now, until, tenantId, name],
  );
  if (free) return { type: "acquired", fence: { name, fencing: free.fencing } };
  for (;;) {
    const row = yield* findLease(tenantId, name);
    const held = row && toHeldLease(row);
    if (held && held.expiresAt > now && !isStale(held)) return { type: "held", lease: held };
    // With parallel transactions one of them finds no row here and looks again.
    const taken = row
      ? yield* first<{ fencing: number }>(
          `UPDATE leases SET holder_json = ?, fencing = fencing + 1, acquired_at = ?, expires_at = ?
          WHERE tenant_id = ? AND name = ? AND fencing = ? RETURNING fencing`,
          [holder, now, until, tenantId, name, row.fencing],
        )
      : yield* first<{ fencing: number }>(
          `INSERT INTO leases (tenant_id, name, holder_json, fencing, acquired_at, expires_at)
          VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT DO NOTHING RETURNING fencing`,
          [tenantId, name, holder, now, until],
        );
    if (taken) return { type: "acquired", fence: { name, fencing: taken.fencing } };
  }
}

function* findLease(tenantId: string, name: string): Verb<LeaseRow | undefined> {
  return yield* first<LeaseRow>(
    "SELECT holder_json, fencing, acquired_at, expires_at FROM leases WHERE tenant_id = ? AND name = ?",
    [tenantId, name],
  );
}

function* renew(tenantId: string, fence: Fence, until: string): Verb<boolean> {
  const row = yield* first(
    `UPDATE leases SET expires_at = ?
    WHERE tenant_id = ? AND name = ? AND fencing = ? AND holder_json IS NOT NULL RETURNING fencing`,
    [until, tenantId, fence.name, fence.fencing],
  );
  return row !== undefined;
}

function* release(tenantId: string, fence: Fence): Verb<void> {
  yield* change("UPDATE leases SET holder_json = NULL WHERE tenant_id = ? AND name = ? AND fencing = ?", [
    tenantId,
    fence.name,
    fence.fencing,
  ]);
}

function toHeldLease(row: LeaseRow): HeldLease | undefined {
  if (row.holder_json === null) return undefined;
  return {
    holder: JSON.parse(row.holder_json) as LeaseHolder,
    fencing: row.fencing,
    acquiredAt: row.acquired_at,
    expiresAt: row.expires_at,
  };
}
