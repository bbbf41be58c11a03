/** Codes that people type, and how often they may get them wrong: so many within the hour that begins with the first one. */
import { change, first, type Verb } from "../sqlite/database.ts";

const windowMs = 3_600_000;

interface Api {
  tenantId: string;
  nowMs: number;
}

/** A code as it is compared: however it was written. */
export const codeKey = (code: string): string => code.replaceAll(/[-\s]/g, "").toUpperCase();

/** Until when nothing is tried any more in that scope; undefined when it may be. */
export function* lockedUntil(api: Api, scope: string, maxTries: number): Verb<string | undefined> {
  const { tenantId } = api;
  const row = yield* first<{ until: string }>(
    "SELECT until FROM code_tries WHERE tenant_id = ? AND scope = ? AND count >= ? AND until > ?",
    [tenantId, scope, maxTries, nowOf(api)],
  );
  return row?.until;
}

/** Counts a wrong one, and clears what has run out. */
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
