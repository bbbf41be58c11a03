/** `pincer doctor`: what is wrong with the home, and repairing it. */
import type { Command } from "commander";
import type { Level } from "../../operate/doctor/check.ts";
import type { CheckReport, DoctorReport } from "../../operate/doctor/run-doctor.ts";
import { consultDoctor } from "../../operate/doctor/doctor-api.ts";
import type { Say } from "../../infra/texts.ts";
import { locateHome } from "../../config/home.ts";
import { openRecovery } from "../../storage/home/recovery.ts";
import { sayBack } from "../../storage/home/say-back.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { plainText } from "../plain-text.ts";
import { createProgressLine, percent } from "../progress-line.ts";

interface Options {
  repair?: boolean;
  /** The same as --repair --yes. */
  fix?: boolean;
  dryRun?: boolean;
  confirm?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  program
    .command("doctor")
    .description(say("doctor.about"))
    .option("--repair", say("doctor.repair"))
    .option("--fix", say("doctor.fix"))
    .option("--dry-run", say("doctor.dry-run"))
    .option("--confirm", say("doctor.confirm"))
    .option("--yes", say("option.yes"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (options: Options) => {
        if (options.confirm) return confirmRecovery(context, options);
        const version = program.version() ?? "";
        const mayRepair = await isRepairWanted(context, version, options);
        if (mayRepair === "over") return 0;
        const fix = mayRepair === "yes";
        const report = await consult(context, version, fix);
        if (options.json) printJson(terminal, report);
        else terminal.out(render(report, { say, isTerminal: terminal.outIsTerminal, fix }));
        return report.ok ? 0 : 1;
      }),
    );
}

/** The owner has seen what came back after a loss. */
async function confirmRecovery(context: CommandContext, { yes, json }: Options): Promise<number> {
  const { say, terminal, environment } = context;
  const recovery = openRecovery(locateHome(environment).recoveryFile);
  const open = recovery.read();
  if (open) {
    const question =
      open.lost === "log"
        ? say("doctor.confirm.sure-log")
        : say("doctor.confirm.sure", { back: sayBack(open, say) });
    const sure = yes ? "yes" : await confirm(terminal, question, false);
    if (sure === "nobody-to-ask")
      throw failure("usage/bad-argument", "doctor.not-sure", {}, { hint: "confirm.hint" });
    if (sure === "no") return 1;
    recovery.confirm();
  }
  if (json) printJson(terminal, { confirmed: open ?? null });
  else terminal.err(`${say(open ? "doctor.confirm.done" : "doctor.confirm.none")}\n`);
  return 0;
}

async function consult(context: CommandContext, version: string, fix: boolean): Promise<DoctorReport> {
  const { signal, terminal } = context;
  const line = createProgressLine(terminal);
  return consultDoctor(
    { ...context, version },
    { fix, signal, onProgress: (title, done, total) => line.show(`${title} ${percent(done, total)}`) },
  )
    .then((report) => typedHere(report, context))
    .finally(() => line.clear());
}

/** A gateway does not know how its caller types a command. */
function typedHere(report: DoctorReport, { typed }: CommandContext): DoctorReport {
  const checks = report.checks.map((check) => ({
    ...check,
    findings: check.findings.map((each) => ({
      ...each,
      message: typed(each.message),
      ...(each.next === undefined ? {} : { next: typed(each.next) }),
    })),
  }));
  return { ...report, checks, notFixed: report.notFixed.map(({ id, why }) => ({ id, why: typed(why) })) };
}

/**
 * Shows what a repair would do and asks; `over`: nothing more was wanted. Throws `usage/bad-argument` if nobody can
 * be asked.
 */
async function isRepairWanted(
  context: CommandContext,
  version: string,
  { repair, fix, dryRun, yes, json }: Options,
): Promise<"yes" | "no" | "over"> {
  const { say, terminal } = context;
  if ((fix || (repair && yes)) && !dryRun) return "yes";
  if (!repair && !dryRun) return "no";
  const { checks } = await consult(context, version, false);
  const findings = checks.flatMap(({ id, title, findings: found }) =>
    found
      .filter(({ repairable }) => repairable)
      .map(({ message, level }) => ({ id, title, level, message: plainText(message) })),
  );
  if (json && dryRun) {
    printJson(terminal, { wouldRepair: findings });
    return "over";
  }
  const tell = dryRun ? terminal.out : terminal.err;
  for (const { title, message } of findings) tell(`${say("doctor.would", { title, message })}\n`);
  if (findings.length === 0) tell(`${say("doctor.would.none")}\n`);
  if (dryRun || findings.length === 0) return dryRun ? "over" : "no";
  const sure = await confirm(terminal, say("doctor.sure", { count: findings.length }), false);
  if (sure === "nobody-to-ask")
    throw failure("usage/bad-argument", "doctor.not-sure", {}, { hint: "confirm.hint" });
  if (sure === "no") terminal.err(`${say("doctor.not-sure")}\n`);
  return sure;
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
    ...report.checks.flatMap((check) => renderCheck(check, report.page, manner)),
    "",
    closing(report, manner),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function renderCheck({ title, findings }: CheckReport, page: string | null, manner: Manner): string[] {
  const { say } = manner;
  return findings.flatMap(({ level, message, next, why, guide }, index) => {
    const following = findings[index + 1];
    const isLastOfItsKind = following?.next !== next;
    const isLast = following === undefined || following.level === "ok";
    const link =
      guide && (page ? say("doctor.guide.page", { guide, address: page }) : say("doctor.guide", { guide }));
    return [
      `${mark(level, manner)} ${title}: ${message}`,
      ...(level !== "ok" && next && isLastOfItsKind ? [say("error.hint", { hint: next })] : []),
      // The same for all that one check finds: said once, behind the last.
      ...(level !== "ok" && isLast
        ? [...(why ? [say("doctor.why", { why })] : []), ...(link ? [link] : [])]
        : []),
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
