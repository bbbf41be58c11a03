import { sayProblem, type Problem } from "../../../config/loaded-config.ts";
import { writeMigration } from "../../../config/set-config.ts";
import { byRepair, type Check, type Finding } from "../check.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { toolNameProblems } from "../../tool-name-problems.ts";

/** Whether the config file is used, and what in it is not. Never changes what its author meant: only old spellings are moved. */
export function checkConfig({ home, say, clock, config, secrets, environment }: ExaminedHome): Check {
  const asFinding = (problem: Problem): Finding => {
    const { file, line, key } = problem;
    const next =
      problem.severity === "error"
        ? say("doctor.config.repair")
        : say(problem.type === "unlisted-value" ? "doctor.config.unlisted" : "doctor.config.tidy");
    return {
      level: problem.severity === "error" ? "problem" : "warning",
      message: sayProblem(problem, say),
      ...(problem.type === "old-spelling" ? byRepair(say) : { next }),
      place: { ...(file && { file }), ...(line !== undefined && { line }), ...(key && { key }) },
    };
  };
  return {
    id: "config",
    title: say("doctor.config"),
    async check() {
      const { problems, mode, fallback, hasText, ...loaded } = await config();
      const names = mode === "safe" ? [] : toolNameProblems(loaded.config, loaded.file);
      const findings = [...problems, ...names].map(asFinding);
      if (mode === "safe") {
        const message = say(fallback === "last-good" ? "doctor.config.last-good" : "doctor.config.defaults");
        findings.unshift({ level: "problem", message, next: say("doctor.config.repair") });
      }
      if (findings.length > 0) return findings;
      const message = hasText ? home.configFile : say("doctor.config.none");
      return [{ level: "ok", message }];
    },
    async fix() {
      const { problems, mode } = await config();
      const old = problems.filter(({ type }) => type === "old-spelling");
      if (mode === "safe" || old.length === 0) return [];
      const change = await writeMigration({ home, clock, secrets, environment });
      if (!change) return [];
      return [say("doctor.config.migrated", { count: old.length })];
    },
  };
}
