import { ensureDir } from "../../../config/home.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { findHomeFlaw } from "../../../storage/home/home-flaw.ts";
import { byRepair, type Check } from "../check.ts";

/** Whether there is a home that we can work in. */
export function checkHome({ home, say }: ExaminedHome): Check {
  const { root } = home;
  return {
    id: "home",
    title: say("doctor.home"),
    async check() {
      const flaw = await findHomeFlaw(root, say);
      if (flaw === "absent") {
        return [{ level: "warning", message: say("doctor.home.absent", { root }), ...byRepair(say) }];
      }
      if (flaw) return [{ level: "problem", message: flaw.reason, next: say("doctor.home.elsewhere") }];
      return [{ level: "ok", message: root }];
    },
    async fix() {
      if ((await findHomeFlaw(root, say)) !== "absent") return [];
      ensureDir(root);
      return [say("doctor.made", { path: root })];
    },
  };
}
