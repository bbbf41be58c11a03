import { timestamp, type Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";

/** For whom and when a verb works, and where its new ids come from. */
export interface Moment {
  tenantId: string;
  now: string;
  ids: Ids;
}

export const momentOf = (parts: { tenantId: string; clock: Clock; ids: Ids }): Moment => ({
  tenantId: parts.tenantId,
  now: timestamp(parts.clock),
  ids: parts.ids,
});
