/** `pincer gateway run` and `start` (also `pincer serve`): the same flags for the gateway in this process and for one in the background. */
import { resolve } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { RunFlags } from "../../operate/service/run-flags.ts";
import type { ServiceMode } from "../../operate/service/service-record.ts";
import type { BackgroundStart } from "../../operate/service/start-in-background.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { addLayerFlags } from "../layer-flags.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";

export interface RunCommandOptions extends Omit<RunFlags, "http"> {
  channel?: string[];
  workdir?: string;
  configProfile?: string;
  /** True unless --no-http was given. */
  http: boolean;
  ifNeeded?: boolean;
  daemon?: boolean;
  json?: boolean;
  inBackground?: boolean;
  asSystemService?: boolean;
}

export function registerRun(program: Command, gateway: Command, context: CommandContext): void {
  const { say } = context;
  const version = () => program.version() ?? "";
  const serve = context.run((options: RunCommandOptions) => runHere(context, version(), options));

  addRunFlags(gateway.command("run").description(say("gateway.run")), context).action(serve);
  addRunFlags(program.command("serve").description(say("gateway.serve")), context).action(serve);
  addRunFlags(gateway.command("start").description(say("service.start")), context)
    .option("--daemon", say("service.start.daemon"))
    .option("--json", say("service.start.json"))
    .action(
      context.run(async (options: RunCommandOptions) =>
        options.daemon ? startBehind(context, version(), options) : runHere(context, version(), options),
      ),
    );
}

/** The flags that say how a gateway serves; `install` takes them, too. */
export function addServingFlags(command: Command, { say }: CommandContext): Command {
  const named = command
    .option("--channel <name>", say("gateway.run.channel"), collect)
    .option("--provider <id>", say("service.provider"));
  return addLayerFlags(named, say)
    .option("--port <n>", say("service.port"), portNumber(say))
    .option("--bind <where>", say("service.bind"))
    .option("--no-http", say("service.no-http"))
    .option("--workdir <dir>", say("ask.workdir"))
    .option("--config-profile <name>", say("ask.config-profile"));
}

const addRunFlags = (command: Command, given: CommandContext): Command =>
  addServingFlags(command, given)
    .option("--if-needed", given.say("service.if-needed"))
    // For starting ourselves; nobody types these.
    .addOption(new Option("--in-background").hideHelp())
    .addOption(new Option("--as-system-service").hideHelp());

/** In this process, until it is stopped. */
async function runHere(
  context: CommandContext,
  version: string,
  options: RunCommandOptions,
): Promise<number | void> {
  const { terminal } = context;
  if (options.ifNeeded) {
    const { describeRunning } = await import("../../operate/service/describe-running.ts");
    const lines = await describeRunning({ ...context, version });
    if (lines) return void terminal.err(plainText(lines.map((line) => `${line}\n`).join("")));
  }
  const { runGateway } = await import("../../app/run-gateway.ts");
  const { channel, workdir, configProfile } = options;
  const parts = {
    ...context,
    version,
    tell: (message: string) => terminal.err(`${plainText(message)}\n`),
    mode: modeOf(options),
    arguments: argumentsOf(options, context.cwd),
  };
  const status = await runGateway(parts, {
    ...(channel ? { channels: channel } : {}),
    ...(workdir === undefined ? {} : { workdir }),
    ...(configProfile === undefined ? {} : { configProfile }),
    flags: flagsOf(options),
  });
  // One that had to stop still holds sockets and timers, and may do nothing more with them: the process ends here.
  if (status !== 0) process.exit(status);
}

async function startBehind(
  context: CommandContext,
  version: string,
  options: RunCommandOptions,
): Promise<number | void> {
  const { terminal } = context;
  const { describeRunning } = await import("../../operate/service/describe-running.ts");
  const show = async () => {
    const lines = (await describeRunning({ ...context, version })) ?? [];
    terminal.err(plainText(lines.map((line) => `${line}\n`).join("")));
  };
  if (options.ifNeeded && (await describeRunning({ ...context, version }))) return show();
  const { startInBackground } = await import("../../operate/service/start-in-background.ts");
  const started = await startInBackground(context, argumentsOf(options, context.cwd));
  return reportStart(context, started, options.json ? undefined : show);
}

/** For `start --daemon` and `restart`. Without `show` the record is printed as JSON. */
export async function reportStart(
  { terminal, say }: CommandContext,
  started: BackgroundStart,
  show: (() => Promise<void>) | undefined,
): Promise<number> {
  if (started.type === "failed") throw notStarted({ terminal }, started);
  const { process: _process, ...record } = started.record;
  if (!show) printJson(terminal, record);
  else {
    terminal.err(`${say("service.started", { pid: record.pid, log: record.logPath })}\n`);
    await show();
  }
  return 0;
}

/** Said by our own process: its words, on stderr, are the reason, and there is nothing to add. */
export function notStarted(
  { terminal }: Pick<CommandContext, "terminal">,
  { lines, status }: BackgroundStart & { type: "failed" },
): Error {
  for (const line of lines) terminal.err(`${plainText(line)}\n`);
  return failure(
    status === 2 ? "usage/bad-argument" : "gateway/stopped",
    lines.length > 0 ? "service.not-started" : "service.not-started.silent",
    { status: status ?? "–" },
    { hint: "service.not-started.hint" },
  );
}

const modeOf = ({ inBackground, asSystemService }: RunCommandOptions): ServiceMode =>
  inBackground ? "background" : asSystemService ? "system" : "foreground";

function flagsOf(options: RunCommandOptions): RunFlags {
  const { channel: _channel, workdir: _workdir, configProfile: _profile, http, ...rest } = options;
  const {
    ifNeeded: _if,
    daemon: _daemon,
    json: _json,
    inBackground: _in,
    asSystemService: _as,
    ...flags
  } = rest;
  return http ? flags : { ...flags, http };
}

/** The same wishes again as words of a command line; paths in full, since it may be started elsewhere. */
export function argumentsOf(options: RunCommandOptions, cwd: string): string[] {
  const { workdir, configProfile, port, bind } = options;
  const values: Array<[name: string, value: string | number | string[] | undefined]> = [
    ...(options.channel ?? []).map((name): [string, string] => ["channel", name]),
    ["provider", options.provider],
    ["profile", options.profile],
    ["tool-allow", options.toolAllow],
    ["tool-max-steps", options.toolMaxSteps],
    ["pairing-policy", options.pairingPolicy],
    ["pairing-allow-from", options.pairingAllowFrom],
    ["pairing-pending-ttl-ms", options.pairingPendingTtlMs],
    ["pairing-pending-max", options.pairingPendingMax],
    ["port", port],
    ["bind", bind],
    ["workdir", workdir === undefined ? undefined : resolve(cwd, workdir)],
    ["config-profile", configProfile],
  ];
  const switches: Array<[name: string, isOn: boolean | undefined]> = [
    ["with-tools", options.withTools],
    ["memory", options.memory],
    ["http", options.http ? undefined : false],
  ];
  return [
    ...values.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${String(value)}`])),
    ...switches.flatMap(([name, isOn]) => (isOn === undefined ? [] : [isOn ? `--${name}` : `--no-${name}`])),
  ];
}

const collect = (name: string, names: string[] = []): string[] => [...names, name];

const portNumber =
  (say: CommandContext["say"]) =>
  (text: string): number => {
    const port = wholeNumber(say)(text);
    if (port <= 65_535) return port;
    throw new InvalidArgumentError(say("service.port.not"));
  };
