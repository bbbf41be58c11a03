import type { Check } from "../check.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";

const oldestUsable = 24;

/** `version` is the running Node's unless told. */
export function checkNode({ say }: ExaminedHome, version: string = process.versions.node): Check {
  return {
    id: "node",
    title: say("doctor.node"),
    async check() {
      const isUsable = Number.parseInt(version, 10) >= oldestUsable;
      if (isUsable) return [{ level: "ok", message: say("doctor.node.ok", { version }) }];
      return [
        {
          level: "problem",
          message: say("doctor.node.old", { version, oldest: oldestUsable }),
          next: say("doctor.node.next", { oldest: oldestUsable }),
        },
      ];
    },
  };
}
