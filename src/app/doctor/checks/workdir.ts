import { access, constants, stat } from "node:fs/promises";
import { ensureDir } from "../../../config/home.ts";
import type { Check } from "../check.ts";
import type { ExaminedHome } from "../../home/examine-home.ts";

/** Whether the directory that the tools work in is there and can be written to. */
export function checkWorkdir({ say, workdir }: ExaminedHome): Check {
  const isAbsent = (path: string) =>
    stat(path).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    );
  return {
    id: "workdir",
    title: say("doctor.workdir"),
    async check() {
      const path = await workdir();
      if (await isAbsent(path)) {
        return [
          { level: "warning", message: say("doctor.workdir.absent", { path }), next: say("doctor.next.fix") },
        ];
      }
      try {
        if (!(await stat(path)).isDirectory()) throw new Error(say("doctor.workdir.no-directory"));
        await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
        return [{ level: "ok", message: path }];
      } catch (error) {
        const message = say("doctor.workdir.unusable", { path, reason: (error as Error).message });
        return [{ level: "problem", message, next: say("doctor.workdir.next") }];
      }
    },
    async fix() {
      const path = await workdir();
      if (!(await isAbsent(path))) return [];
      ensureDir(path);
      return [say("doctor.made", { path })];
    },
  };
}
