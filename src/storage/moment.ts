import { timestamp, type Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import type { AuditSeal } from "./audit/audit-seal.ts";

/** For whom and when a verb works, and where its new ids come from. */
export interface Moment {
  tenantId: string;
  now: string;
  ids: Ids;
  /** For what is recorded; left out where there is no key. */
  seal?: AuditSeal | undefined;
}

export const momentOf = (parts: {
  tenantId: string;
  clock: Clock;
  ids: Ids;
  seal?: AuditSeal | undefined;
}): Moment => ({
  tenantId: parts.tenantId,
  now: timestamp(parts.clock),
  ids: parts.ids,
  seal: parts.seal,
});
