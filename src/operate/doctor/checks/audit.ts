import { createAuditAnchors } from "../../../storage/audit/audit-anchors.ts";
import { openAuditSeal } from "../../../storage/audit/open-audit-seal.ts";
import { verifyAudit } from "../../../storage/audit/verify-audit.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { personalTenant } from "../../../storage/home/open-home.ts";
import type { Check } from "../check.ts";

/** Whether the audit log is what was written. There is nothing to repair: what was changed behind our back stays changed. */
export function checkAudit(examined: ExaminedHome, signal: AbortSignal): Check {
  const { home, say, secrets, clock } = examined;
  return {
    id: "audit",
    title: say("doctor.audit"),
    async check() {
      const state = await examined.database();
      const empty = { level: "ok" as const, message: say("audit.verify.empty") };
      if (state.type !== "open") return [empty];
      const { audit } = state.tenant;
      const { tenantId } = personalTenant;
      const seal = await openAuditSeal(secrets, "refuse");
      const anchors = createAuditAnchors({ file: home.auditAnchorsFile, tenantId, audit, seal, clock });
      const found = await verifyAudit({ audit, anchors, seal, signal });
      const isEmpty = found.head === null && found.rows === 0;
      // Where nothing was ever written there may be no key either.
      if (isEmpty && found.problems.every(({ kind }) => kind === "no-key")) return [empty];
      if (found.ok) {
        const counts = { rows: found.rows, seq: found.head?.seq ?? 0, anchored: found.anchoredSeq };
        return [{ level: "ok", message: say("audit.verify.ok", counts) }];
      }
      return found.problems.slice(0, mostShown).map(({ kind, seq = 0, toSeq = seq }) => ({
        level: "problem" as const,
        message: say(`audit.problem.${kind}`, { seq, toSeq }),
        next: say("doctor.audit.next"),
      }));
    },
  };
}

const mostShown = 5;
