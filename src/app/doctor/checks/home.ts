import { access, constants, stat } from "node:fs/promises";
import { ensureDir } from "../../../config/home.ts";
import type { Check, Finding } from "../check.ts";
import type { ExaminedHome } from "../../home/examine-home.ts";

/** Whether there is a home that we can work in. */
export function checkHome({ home, say }: ExaminedHome): Check {
  const { root } = home;
  const problem = (message: string, next: string): Finding[] => [{ level: "problem", message, next }];
  return {
    id: "home",
    title: say("doctor.home"),
    async check() {
      const found = await stat(root).catch((error: NodeJS.ErrnoException) => error);
      if (found instanceof Error) {
        if (found.code !== "ENOENT") {
          return problem(
            say("doctor.home.unusable", { root, reason: found.message }),
            say("doctor.home.elsewhere"),
          );
        }
        return [
          { level: "warning", message: say("doctor.home.absent", { root }), next: say("doctor.next.fix") },
        ];
      }
      if (!found.isDirectory()) {
        return problem(say("doctor.home.no-directory", { root }), say("doctor.home.elsewhere"));
      }
      try {
        await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
      } catch (error) {
        const reason = (error as Error).message;
        return problem(say("doctor.home.unusable", { root, reason }), say("doctor.home.elsewhere"));
      }
      return [{ level: "ok", message: root }];
    },
    async fix() {
      const isAbsent = await stat(root).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === "ENOENT",
      );
      if (!isAbsent) return [];
      ensureDir(root);
      return [say("doctor.made", { path: root })];
    },
  };
}
