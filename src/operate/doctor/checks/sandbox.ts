import type { Machine } from "../../../sandbox/walls/machine.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check } from "../check.ts";

/** Whether programs that the assistant runs are kept in, by what, and how well: a program that does nothing is really started in there. */
export function checkSandbox(
  examined: ExaminedHome,
  /** This one unless told. */
  machine?: Machine,
): Check {
  const { say, config } = examined;
  return {
    id: "sandbox",
    title: say("doctor.sandbox"),
    async check() {
      const { exec } = (await config()).config.tools;
      const { tryWall } = await import("../../../sandbox/walls/try-wall.ts");
      const { reportWall } = await import("../../../sandbox/walls/wall-report.ts");
      const choice = await tryWall(exec, examined, machine && (async () => machine));
      const { message, next } = reportWall(choice, say);
      return [next === undefined ? { level: "ok", message } : { level: "warning", message, next }];
    },
  };
}
