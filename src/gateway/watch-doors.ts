/** Wraps the doors: counts and logs sign-ins and refusals. */
import type { GatewayDoors } from "./doors/create-doors.ts";
import type { Shown } from "./doors/doors.ts";
import type { AuditTrail } from "./audit/audit-trail.ts";
import type { Gauges } from "./gauges/create-gauges.ts";

export function watchedDoors(
  doors: GatewayDoors,
  gauges: Pick<Gauges, "countDoors">,
  trail: Pick<AuditTrail, "refused" | "note">,
): GatewayDoors {
  const counted = gauges.countDoors(doors);
  return {
    ...doors,
    isStillIn: counted.isStillIn,
    async admit(shown, from) {
      const admission = await counted.admit(shown, from);
      // Who was let in is written with what they then do; one that shows nothing has not tried.
      if (
        admission.type === "refused" ||
        admission.type === "too-many-tries" ||
        admission.type === "pending"
      ) {
        trail.refused({ way: wayOf(shown), from: from.address, reason: admission.type });
      }
      return admission;
    },
    async signIn(proof, from) {
      const outcome = await doors.signIn(proof, from);
      const [way = "code"] = Object.keys(proof);
      if (outcome.type === "signed-in") {
        trail.note({
          actor: outcome.access.createdBy,
          action: "access.signed-in",
          resourceType: "access",
          resourceId: outcome.access.id,
          metadata: { way, from: from.address, role: outcome.access.role },
        });
      } else trail.refused({ way, from: from.address, reason: outcome.type });
      return outcome;
    },
  };
}

const wayOf = ({ device, bearer }: Shown): string =>
  device ? "device" : bearer === undefined ? "cookie" : "token";
