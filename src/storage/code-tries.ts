/** Codes that people type, and how often they may get them wrong: so many within the hour that begins with the first one. */
import { change, first, type Verb } from "./database.ts";

const windowMs = 3_600_000;

interface Desk {
  tenantId: string;
  nowMs: number;
}

/** A code as it is compared: however it was written. */
export const codeKey = (code: string): string => code.replaceAll(/[-\s]/g, "").toUpperCase();

/** Until when nothing is tried any more in that scope; undefined when it may be. */
export function* lockedUntil(desk: Desk, scope: string, maxTries: number): Verb<string | undefined> {
  const { tenantId } = desk;
  const row = yield* first<{ until: string }>(
    "SELECT until FROM code_tries WHERE tenant_id = ? AND scope = ? AND count >= ? AND until > ?",
    [tenantId, scope, maxTries, nowOf(desk)],
  );
  return row?.until;
}

/** Counts a wrong one, and clears what has run out. */
export function* countTry(desk: Desk, scope: string): Verb<void> {
  const { tenantId, nowMs } = desk;
  yield* change("DELETE FROM code_tries WHERE tenant_id = ? AND until <= ?", [tenantId, nowOf(desk)]);
  yield* change(
    `INSERT INTO code_tries (tenant_id, scope, count, until) VALUES (?, ?, 1, ?)
    ON CONFLICT (tenant_id, scope) DO UPDATE SET count = code_tries.count + 1`,
    [tenantId, scope, new Date(nowMs + windowMs).toISOString()],
  );
}

const nowOf = ({ nowMs }: Desk): string => new Date(nowMs).toISOString();
