/** `pincer gateway restart`, `logs`, `install` and `uninstall`: the gateway as a service. */
import { realpathSync } from "node:fs";
import type { Command } from "commander";
import { locateHome } from "../../config/home.ts";
import type { ServiceRecord } from "../../operate/service/service-record.ts";
import type { SystemParts } from "../../operate/service/system-service.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { plainText } from "../plain-text.ts";
import { addLogCommand } from "../show-log.ts";
import {
  addServingFlags,
  argumentsOf,
  notStarted,
  reportStart,
  type RunCommandOptions,
} from "./gateway-run.ts";

export function registerService(program: Command, gateway: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const version = () => program.version() ?? "";

  gateway
    .command("restart")
    .description(say("service.restart"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json }: { json?: boolean }) => {
        const { restartGateway } = await import("../../operate/service/restart-gateway.ts");
        const { describeRunning } = await import("../../operate/service/describe-running.ts");
        const parts = { ...context, version: version(), system: await systemParts(context) };
        const tellStopping = (pid: number) =>
          json || terminal.err(`${say("gateway.stopping-now", { pid })}\n`);
        const outcome = await restartGateway(parts, tellStopping);
        if (outcome.type === "not-running") {
          if (json) printJson(terminal, { running: false });
          else terminal.err(`${say("gateway.is-not-running")}\n`);
          return 1;
        }
        if (outcome.type === "restarting") {
          if (json) printJson(terminal, { running: true, restarting: true, pid: outcome.pid });
          else terminal.err(`${say(`service.restarting.${outcome.by}`, { pid: outcome.pid })}\n`);
          return 0;
        }
        const show = async () => {
          const lines = (await describeRunning(parts)) ?? [];
          terminal.err(plainText(lines.map((line) => `${line}\n`).join("")));
        };
        return reportStart(context, outcome, json ? undefined : show);
      }),
    );

  addLogCommand(gateway.command("logs"), context);

  addServingFlags(gateway.command("install").description(say("service.install")), context)
    .option("--take-over", say("service.install.take-over"))
    .option("--dry-run", say("service.install.dry-run"))
    .action(
      context.run(async ({ dryRun, takeOver, ...options }: InstallOptions) => {
        const args = argumentsOf(options, context.cwd);
        if (dryRun) {
          const { planInstall } = await import("../../operate/service/system-service.ts");
          const request = { home: locateHome(context.environment).root, arguments: args };
          const planned = planInstall(await systemParts(context), request);
          terminal.out(`# ${planned.file}\n${planned.content}`);
          for (const command of planned.commands) terminal.out(`# ${command.join(" ")}\n`);
          return;
        }
        const given = { version: version(), takeOver: takeOver === true };
        const installed = await installService(context, args, given);
        for (const line of linesOfInstalled(context, installed)) terminal.err(`${line}\n`);
      }),
    );

  gateway
    .command("uninstall")
    .description(say("service.uninstall"))
    .action(
      context.run(async () => {
        const was = await uninstallService(context);
        terminal.err(`${say(was ? "service.uninstalled" : "service.not-installed")}\n`);
      }),
    );
}

type InstallOptions = RunCommandOptions & { dryRun?: boolean; takeOver?: boolean };

interface Installed {
  file: string;
  look: string;
  stayOn: string | undefined;
  /** False if it does not answer yet. */
  isServing: boolean;
}

/** How a gateway that runs already gives way; without it, it does not. */
interface TakeOver {
  version: string;
  /** True: nobody is asked. */
  takeOver: boolean;
}

/** The one that runs beside the system's: the system would start a second one, again and again. */
async function oneInTheWay({ environment }: CommandContext): Promise<ServiceRecord | undefined> {
  const { createServiceRecords } = await import("../../operate/service/service-record.ts");
  const record = await createServiceRecords(locateHome(environment)).read();
  return record && record.mode !== "system" ? record : undefined;
}

/** Throws `gateway/running` if it stays. */
async function agreeToStop(context: CommandContext, pid: number, given: TakeOver | undefined): Promise<void> {
  const { say, terminal } = context;
  const question = say("service.take-over.ask", { pid });
  const sure = given && (await confirm(terminal, question, given.takeOver));
  if (sure === "yes") return;
  throw failure("gateway/running", "gateway.in-the-way", { pid }, { hint: "service.take-over.hint" });
}

/** Where the work fails, what was stopped for it runs again. */
export async function inPlaceOf<Result>(
  { stop, startAgain }: { stop(): Promise<void>; startAgain(): Promise<void> },
  work: () => Promise<Result>,
): Promise<Result> {
  await stop();
  try {
    return await work();
  } catch (error) {
    await startAgain();
    throw error;
  }
}

/**
 * Installs the gateway as a system service. Throws `gateway/running` beside another, `gateway/unreachable` if the
 * system refuses, `usage/not-found` if it has no service manager.
 */
export async function installService(
  context: CommandContext,
  args: readonly string[],
  given?: TakeOver,
): Promise<Installed> {
  const service = await import("../../operate/service/system-service.ts");
  const system = await systemParts(context);
  const home = locateHome(context.environment);
  const plan = service.planInstall(system, { home: home.root, arguments: args });
  const install = async () => {
    const outcome = await service.install(system, plan);
    if (outcome.type !== "written") return { ...plan, isServing: await isServing(context) };
    const { command, reason } = outcome;
    throw failure(
      "gateway/unreachable",
      "service.install.refused",
      { file: plan.file, command, reason },
      { hint: "service.install.refused.hint" },
    );
  };
  const running = await oneInTheWay(context);
  if (!running) return install();
  await agreeToStop(context, running.pid, given);
  const { say, terminal } = context;
  const stop = async () => {
    const { endGateway } = await import("../../operate/service/end-gateway.ts");
    const stopped = await endGateway({ ...context, version: given?.version ?? "" }, (pid) =>
      terminal.err(`${say("gateway.stopping-now", { pid })}\n`),
    );
    if (stopped.type === "still-running") throw stillRunning(stopped);
  };
  const startAgain = async () => {
    const { startInBackground } = await import("../../operate/service/start-in-background.ts");
    const started = await startInBackground(context, running.arguments);
    if (started.type === "failed") throw notStarted(context, started);
    const { pid, logPath: log } = started.record;
    terminal.err(`${say("service.take-over.back")}\n${say("service.started", { pid, log })}\n`);
  };
  return inPlaceOf({ stop, startAgain }, install);
}

async function isServing({ environment, signal }: CommandContext): Promise<boolean> {
  const { createServiceRecords } = await import("../../operate/service/service-record.ts");
  const { untilServing } = await import("../../operate/service/until-serving.ts");
  const { systemClock } = await import("../../infra/clock.ts");
  return untilServing({ records: createServiceRecords(locateHome(environment)), clock: systemClock, signal });
}

/** What to tell after it. */
export function linesOfInstalled({ say }: Pick<CommandContext, "say">, installed: Installed): string[] {
  const { file, look, stayOn } = installed;
  return [
    say(installed.isServing ? "service.installed" : "service.installed.not-serving", { file, look }),
    ...(stayOn === undefined ? [] : [say("service.installed.stay-on", { command: stayOn })]),
  ];
}

/** For one that was told to stop, and has not. */
export const stillRunning = ({ pid, seconds }: { pid: number; seconds: number }): Error =>
  failure(
    "gateway/running",
    "gateway.still-running",
    { pid, seconds },
    { hint: "gateway.still-running.hint" },
  );

/** False when it was not installed. */
export async function uninstallService(context: CommandContext): Promise<boolean> {
  const { uninstall } = await import("../../operate/service/system-service.ts");
  return uninstall(await systemParts(context));
}

async function systemParts({ environment }: CommandContext): Promise<SystemParts> {
  const { runProgram } = await import("../../operate/service/run-program.ts");
  const [, pincer = ""] = process.argv;
  // A link such as npm makes may lead elsewhere after the next installation.
  const program = { node: process.execPath, pincer: realpathSync(pincer) };
  return {
    platform: process.platform,
    environment,
    program,
    userId: process.getuid?.() ?? 0,
    run: runProgram,
  };
}
