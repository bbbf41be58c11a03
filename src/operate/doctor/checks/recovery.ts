import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { openRecovery } from "../../../storage/home/recovery.ts";
import { sayBack, sayRepair } from "../../../storage/home/say-back.ts";
import type { Check } from "../check.ts";

/** Whether the database was lost and the owner still has to confirm what came back. A repair does not: it is the owner's to look. */
export function checkRecovery({ home, say }: ExaminedHome): Check {
  return {
    id: "recovery",
    title: say("doctor.recovery"),
    async check() {
      const open = openRecovery(home.recoveryFile).read();
      if (!open) return [{ level: "ok", message: say("doctor.recovery.ok") }];
      const parameters = { at: open.at.slice(0, 16).replace("T", " "), back: sayBack(open, say) };
      // Where the copy is in doubt, nobody can say that the policy is complete.
      const lost = open.isInDoubt && open.lost !== "database" ? "older" : open.lost;
      const message = say(`doctor.recovery.${lost}`, parameters);
      const doubt = open.isInDoubt
        ? [{ level: "problem" as const, message: say("doctor.recovery.in-doubt") }]
        : [];
      const repair = open.repair ? [{ level: "warning" as const, message: sayRepair(open.repair, say) }] : [];
      return [{ level: "problem", message, next: say("doctor.recovery.next") }, ...doubt, ...repair];
    },
  };
}
