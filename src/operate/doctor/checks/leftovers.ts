import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check, Finding } from "../check.ts";

const mostCounted = 1000;

/** Messages that were given up: replies that could not be delivered, and what took the gateway down. What becomes of them is the owner's to decide. */
export function checkLeftovers({ say, database }: ExaminedHome): Check {
  return {
    id: "leftovers",
    title: say("doctor.leftovers"),
    async check() {
      const state = await database();
      if (state.type !== "open") return [{ level: "ok", message: say("doctor.leftovers.ok") }];
      const { outbox, turns, inbox } = state.tenant;
      const failed = await outbox.list({ limit: mostCounted, states: ["failed"] });
      const dead = await turns.list({ limit: mostCounted, states: ["dead"] });
      const lost = await inbox.listDead({ limit: mostCounted });
      const count = dead.length + lost.length;
      const findings: Finding[] = [
        ...(failed.length === 0
          ? []
          : [
              {
                level: "warning" as const,
                message: say("doctor.leftovers.outbox", { count: failed.length }),
                next: say("doctor.leftovers.outbox.next"),
              },
            ]),
        ...(count === 0
          ? []
          : [
              {
                level: "warning" as const,
                message: say("doctor.leftovers.dead", { count }),
                next: say("doctor.leftovers.dead.next"),
              },
            ]),
      ];
      return findings.length > 0 ? findings : [{ level: "ok", message: say("doctor.leftovers.ok") }];
    },
  };
}
