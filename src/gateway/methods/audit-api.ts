/** The audit log: querying, verifying and exporting it. */
import type { AuditPage } from "@pincer/sdk";
import type { AuditAnchors } from "../../storage/audit/audit-anchors.ts";
import type { AuditSeal } from "../../storage/audit/audit-seal.ts";
import type { AuditQuery, AuditRecord, AuditStore } from "../../storage/audit/audit.ts";
import type { Api } from "./api.ts";

export interface AuditApiParts {
  audit: AuditStore;
  anchors: Pick<AuditAnchors, "read">;
  seal: AuditSeal | undefined;
}

const usualLimit = 100;

export function createAuditApi({ audit, anchors, seal }: AuditApiParts): Api<"audit"> {
  async function page(query: Partial<AuditQuery>): Promise<AuditPage> {
    const limit = query.limit ?? usualLimit;
    const found = await audit.list({ ...query, limit });
    const records = found.slice(0, fitting(found));
    const isLast = found.length < limit && records.length === found.length;
    return { records, next: isLast ? null : (records.at(-1)?.seq ?? null) };
  }
  return {
    query: page,
    async verify(_params, until) {
      const { verifyAudit } = await import("../../storage/audit/verify-audit.ts");
      return verifyAudit({ audit, anchors, seal, signal: until?.signal });
    },
    async export({ idempotencyKey: _key, ...query }, until) {
      if (query.before === undefined) {
        const { limit: _limit, ...narrowing } = query;
        await audit.record({
          actor: until?.caller?.id ?? "owner",
          action: "audit-export",
          resourceType: "audit",
          resourceId: "audit",
          metadata: { ...narrowing },
        });
      }
      return page(query);
    },
  };
}

/** A long run is a long record: a page has to go into one frame. */
const mostCharacters = 500_000;

/** How many of them are sent at once; one always is. */
function fitting(records: readonly AuditRecord[]): number {
  let characters = 0;
  const over = records.findIndex(({ metadata }) => {
    characters += JSON.stringify(metadata).length;
    return characters > mostCharacters;
  });
  return over < 0 ? records.length : Math.max(1, over);
}
