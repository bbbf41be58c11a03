/** `pincer gateway restart`, `logs`, `install` and `uninstall`: the gateway as something that lasts. */
import { realpathSync } from "node:fs";
import type { Command } from "commander";
import { locateHome } from "../../config/home.ts";
import type { SystemParts } from "../../operate/service/system-service.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { addLogCommand } from "../show-log.ts";
import { addServingFlags, argumentsOf, reportStart, type RunCommandOptions } from "./gateway-run.ts";

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
    .option("--dry-run", say("service.install.dry-run"))
    .action(
      context.run(async ({ dryRun, ...options }: RunCommandOptions & { dryRun?: boolean }) => {
        const args = argumentsOf(options, context.cwd);
        if (dryRun) {
          const { planInstall } = await import("../../operate/service/system-service.ts");
          const request = { home: locateHome(context.environment).root, arguments: args };
          const planned = planInstall(await systemParts(context), request);
          terminal.out(`# ${planned.file}\n${planned.content}`);
          for (const command of planned.commands) terminal.out(`# ${command.join(" ")}\n`);
          return;
        }
        const plan = await installService(context, args);
        terminal.err(`${say("service.installed", { file: plan.file, look: plan.look })}\n`);
        if (plan.stayOn !== undefined)
          terminal.err(`${say("service.installed.stay-on", { command: plan.stayOn })}\n`);
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

/** The system would start a second one, again and again. */
async function refuseBesideAnother({ environment }: CommandContext): Promise<void> {
  const { createServiceRecords } = await import("../../operate/service/service-record.ts");
  const record = await createServiceRecords(locateHome(environment)).read();
  if (record && record.mode !== "system")
    throw failure(
      "gateway/running",
      "gateway.in-the-way",
      { pid: record.pid },
      { hint: "gateway.in-the-way.hint" },
    );
}

/**
 * Installs the gateway as a system service. Throws `gateway/running` beside another, `gateway/unreachable` if the
 * system refuses, `usage/not-found` if it has no service manager.
 */
export async function installService(
  context: CommandContext,
  args: readonly string[],
): Promise<{ file: string; look: string; stayOn: string | undefined }> {
  const service = await import("../../operate/service/system-service.ts");
  const system = await systemParts(context);
  const home = locateHome(context.environment);
  const plan = service.planInstall(system, { home: home.root, arguments: args });
  await refuseBesideAnother(context);
  const outcome = await service.install(system, plan);
  if (outcome.type === "written") {
    const { command, reason } = outcome;
    throw failure(
      "gateway/unreachable",
      "service.install.refused",
      { file: plan.file, command, reason },
      { hint: "service.install.refused.hint" },
    );
  }
  return plan;
}

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
