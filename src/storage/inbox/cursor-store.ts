/** How far each channel account has read. */
import { timestamp, type Clock } from "../../infra/clock.ts";
import { change, first, type Database } from "../sqlite/database.ts";
import type { CursorStore } from "./inbox.ts";

export function createCursorStore(parts: {
  database: Database;
  clock: Clock;
  tenantId: string;
}): CursorStore {
  const { database, clock, tenantId } = parts;
  return {
    load: (channel, accountId) =>
      database.read(function* () {
        const row = yield* first<{ cursor: string }>(
          "SELECT cursor FROM channel_cursors WHERE tenant_id = ? AND channel = ? AND account_id = ?",
          [tenantId, channel, accountId],
        );
        return row?.cursor;
      }),
    save: (channel, accountId, cursor) =>
      database.write(
        () =>
          change(
            `INSERT INTO channel_cursors (tenant_id, channel, account_id, cursor, saved_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (tenant_id, channel, account_id)
            DO UPDATE SET cursor = excluded.cursor, saved_at = excluded.saved_at`,
            [tenantId, channel, accountId, cursor, timestamp(clock)],
          ),
        { sync: "later" },
      ),
  };
}
