/** `pincer doctor`: what is wrong with the home, and repairing it. */
import type { Command } from "commander";
import type { Level } from "../../app/doctor/check.ts";
import type { CheckReport, DoctorReport } from "../../app/doctor/run-doctor.ts";
import { consultDoctor } from "../../app/desks/doctor-desk.ts";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { createProgressLine, percent } from "../progress-line.ts";

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  program
    .command("doctor")
    .description(say("doctor.about"))
    .option("--fix", say("doctor.fix"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (options: { fix?: boolean; json?: boolean }) => {
        const line = createProgressLine(terminal);
        const fix = options.fix === true;
        const parts = { ...context, version: program.version() ?? "" };
        const report = await consultDoctor(parts, {
          fix,
          signal,
          onProgress: (title, done, total) => line.show(`${title} ${percent(done, total)}`),
        }).finally(() => line.clear());
        if (options.json) printJson(terminal, report);
        else terminal.out(render(report, { say, isTerminal: terminal.outIsTerminal, fix }));
        return report.ok ? 0 : 1;
      }),
    );
}

interface Manner {
  say: Say;
  isTerminal: boolean;
  fix: boolean;
}

function render(report: DoctorReport, manner: Manner): string {
  const { say } = manner;
  const lines = [
    ...report.fixed.map(({ what }) => say("doctor.fixed", { what })),
    ...report.notFixed.map(({ why }) => say("doctor.not-fixed", { why })),
    ...report.checks.flatMap((check) => renderCheck(check, manner)),
    "",
    closing(report, manner),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function renderCheck({ title, findings }: CheckReport, manner: Manner): string[] {
  return findings.flatMap(({ level, message, next }, index) => {
    const isLastOfItsKind = findings[index + 1]?.next !== next;
    return [
      `${mark(level, manner)} ${title}: ${message}`,
      ...(level !== "ok" && next && isLastOfItsKind ? [manner.say("error.hint", { hint: next })] : []),
    ];
  });
}

const signs: Record<Level, { sign: string; ascii: string; colour: number }> = {
  ok: { sign: "✓", ascii: "ok", colour: 32 },
  warning: { sign: "!", ascii: "! ", colour: 33 },
  problem: { sign: "✗", ascii: "x ", colour: 31 },
};

function mark(level: Level, { isTerminal }: Manner): string {
  const { sign, ascii, colour } = signs[level];
  return isTerminal ? `\u001b[${colour}m${sign}\u001b[0m` : ascii;
}

function closing({ checks }: DoctorReport, { say, fix }: Manner): string {
  const findings = checks.flatMap((check) => check.findings);
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const problems = count("problem");
  const warnings = count("warning");
  if (problems > 0)
    return say(fix ? "doctor.closing.left" : "doctor.closing.problems", { problems, warnings });
  return warnings > 0 ? say("doctor.closing.warnings", { warnings }) : say("doctor.closing.well");
}
