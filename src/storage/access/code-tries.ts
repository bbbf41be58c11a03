/** Limits wrong codes: a number of tries within an hour of the first one. */
import { change, first, type Verb } from "../sqlite/database.ts";

const windowMs = 3_600_000;

interface Api {
  tenantId: string;
  nowMs: number;
}

/** A code in normal form for comparison. */
export const codeKey = (code: string): string => code.replaceAll(/[-\s]/g, "").toUpperCase();

/** Until when the scope is locked; undefined if tries are allowed. */
export function* lockedUntil(api: Api, scope: string, maxTries: number): Verb<string | undefined> {
  const { tenantId } = api;
  const row = yield* first<{ until: string }>(
    "SELECT until FROM code_tries WHERE tenant_id = ? AND scope = ? AND count >= ? AND until > ?",
    [tenantId, scope, maxTries, nowOf(api)],
  );
  return row?.until;
}

/** Counts a wrong try, and deletes expired counts. */
export function* countTry(api: Api, scope: string): Verb<void> {
  const { tenantId, nowMs } = api;
  yield* change("DELETE FROM code_tries WHERE tenant_id = ? AND until <= ?", [tenantId, nowOf(api)]);
  yield* change(
    `INSERT INTO code_tries (tenant_id, scope, count, until) VALUES (?, ?, 1, ?)
    ON CONFLICT (tenant_id, scope) DO UPDATE SET count = code_tries.count + 1`,
    [tenantId, scope, new Date(nowMs + windowMs).toISOString()],
  );
}

const nowOf = ({ nowMs }: Api): string => new Date(nowMs).toISOString();
