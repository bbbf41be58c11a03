import type { Say } from "../../../infra/texts.ts";
import type { Check } from "../check.ts";

/** Whether the gateway that runs is the version that is installed: an update waits for a restart. */
export function checkUpdate({ say }: { say: Say }, { runs, here }: { runs: string; here: string }): Check {
  return {
    id: "update",
    title: say("doctor.update"),
    async check() {
      if (runs === here) return [{ level: "ok", message: say("doctor.update.ok", { version: here }) }];
      return [
        {
          level: "warning",
          message: say("doctor.update.waits", { runs, here }),
          next: say("doctor.update.next"),
        },
      ];
    },
  };
}
