/** `pincer prove`: kills the product again and again and checks that nothing was lost. The prover is loaded only when it runs. */
import { availableParallelism } from "node:os";
import type { Fault, FaultKind, Program, ProveReport, SoakReport, TroubleKind } from "@pincer/prove";
import { Option, type Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { createSay, type Say, type TextKey } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { createProgressLine } from "../progress-line.ts";
import { table } from "../table.ts";

interface Options {
  quick?: boolean;
  full?: boolean;
  seed?: number;
  runs?: number;
  sample?: number;
  jobs?: number;
  keep?: boolean;
  repeat?: string;
  soak?: boolean;
  messages: number;
  sessions: number;
  json?: boolean;
  plant?: string;
  gateway?: string;
  life?: number;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const count = wholeNumber(say);
  program
    .command("prove")
    .description(say("prove.about"))
    .option("--quick", say("prove.quick"))
    .addOption(new Option("--full", say("prove.full")).conflicts("quick"))
    .option("--seed <n>", say("prove.seed"), count)
    .option("--runs <n>", say("prove.runs"), count)
    .addOption(
      new Option("--sample <n>", say("prove.sample")).argParser(count).conflicts(["quick", "full", "runs"]),
    )
    .option("--jobs <n>", say("prove.jobs"), count)
    .option("--keep", say("prove.keep"))
    .option("--repeat <series>", say("prove.repeat"))
    .option("--soak", say("prove.soak"))
    .option("--messages <n>", say("prove.messages"), count, 100_000)
    .option("--sessions <n>", say("prove.sessions"), count, 200)
    .option("--json", say("help.json"))
    // A bug to plant, so that the proof itself can be proved; and the process that is killed.
    .addOption(new Option("--plant <bug>").hideHelp())
    .addOption(new Option("--gateway <socket>").hideHelp())
    .addOption(new Option("--life <n>").argParser(count).hideHelp())
    .action(
      context.run(async (options: Options) => {
        if (options.gateway) return liveAsGateway(program, context, options.gateway, options.life ?? 0);
        if (options.soak) {
          const soaked = await runSoak(context, options);
          if (options.json) printJson(terminal, soaked);
          else terminal.out(renderSoak(soaked, say));
          return soaked.verdict.faults.length === 0 ? 0 : 1;
        }
        const report = await runProof(context, options);
        if (options.json) printJson(terminal, report);
        else terminal.out(render(report, options, say));
        return report.interrupted ? 130 : report.ok ? 0 : 1;
      }),
    );
}

const programOf = ({ environment }: CommandContext): Program => ({
  command: process.execPath,
  args: [process.argv[1] ?? ""],
  environment,
});

/** The homes of the proof speak English, whatever the prover speaks. */
/** What the product says to people who wait while it cannot take or answer their messages. */
const waitingLines = () =>
  (["not-stored", "held", "damaged", "workdir", "queued", "too-fast"] as const).map((cause) =>
    createSay("en")(`waiting.${cause}`),
  );
const repeatMark = () => createSay("en")("delivery.repeat-mark");

const seedOf = ({ seed }: Options) => seed ?? 1 + Math.floor(Math.random() * 1_000_000);

async function runProof(context: CommandContext, options: Options): Promise<ProveReport> {
  const { say, terminal, signal, environment } = context;
  const { canTrace, parseSeries, plants, prove } = await import("@pincer/prove");
  const repeat = options.repeat === undefined ? undefined : parseSeries(options.repeat);
  if (options.repeat !== undefined && !repeat) {
    const hint = "prove.bad-repeat.hint";
    throw failure("usage/bad-argument", "prove.bad-repeat", { text: options.repeat }, { hint });
  }
  const plant = plants.find((name) => name === options.plant);
  if (options.plant !== undefined && !plant) {
    const details = { text: options.plant, choices: plants.join(", ") };
    throw failure("usage/bad-argument", "prove.bad-plant", details);
  }
  const hasTracer = canTrace(environment);
  if (options.full && !hasTracer) context.notify(say("prove.no-tracer"));
  const line = createProgressLine(terminal);
  return prove(
    {
      program: programOf(context),
      repeatMark: repeatMark(),
      waitingLines: waitingLines(),
      hasTracer,
      signal,
      onProgress: (progress) => line.show(say("prove.progress", progress)),
    },
    {
      depth: options.full ? "full" : "quick",
      seed: seedOf(options),
      runs: options.runs ?? (options.full ? 10_000 : 300),
      sample: options.sample,
      jobs: options.jobs ?? Math.max(1, Math.floor(availableParallelism() / 2)),
      keep: options.keep === true,
      plant,
      repeat,
    },
  ).finally(() => line.clear());
}

async function runSoak(context: CommandContext, options: Options): Promise<SoakReport> {
  const { say, terminal, signal } = context;
  const { soak } = await import("@pincer/prove");
  const line = createProgressLine(terminal);
  return soak(
    {
      program: programOf(context),
      repeatMark: repeatMark(),
      waitingLines: waitingLines(),
      signal,
      onProgress: (progress) => line.show(say("prove.soak.progress", progress)),
    },
    {
      messages: options.messages,
      sessions: options.sessions,
      seed: seedOf(options),
      keep: options.keep === true,
    },
  ).finally(() => line.clear());
}

/** The process that is killed: the gateway as it is, in pretended surroundings. */
async function liveAsGateway(
  program: Command,
  context: CommandContext,
  socketPath: string,
  life: number,
): Promise<number> {
  const { createGateway } = await import("../../app/create-gateway.ts");
  const { runProveGateway } = await import("@pincer/prove/gateway");
  const parts = {
    ...context,
    version: program.version() ?? "",
    tell: (message: string) => context.terminal.err(`${message}\n`),
  };
  return runProveGateway({
    socketPath,
    life,
    signal: context.signal,
    openGateway: (extras) => createGateway(parts, {}, extras),
    die: () => process.kill(process.pid, "SIGKILL"),
    exit: (status) => process.exit(status),
  });
}

function render(report: ProveReport, options: Options, say: Say): string {
  const rows = [
    [say("prove.runs.count"), String(report.runs)],
    ...renderCounts((kind) => report[kind], report.markedRepeats, say),
    [say("prove.told"), String(report.toldFailed)],
    [say("prove.points"), say("prove.points.value", { known: report.points.known, cut: report.points.cut })],
    [say("prove.troubles"), renderTroubles(report.troubles, say)],
    ...(report.powerLosses > 0 ? [[say("prove.power-losses"), String(report.powerLosses)]] : []),
    [say("prove.seeds"), ranges(report.seeds)],
    [say("prove.seconds"), String(report.seconds)],
  ];
  const lines = report.failures.flatMap(({ repeat, faults, directory }) => [
    "",
    ...renderFaults(faults),
    ...(repeat ? [say("prove.again", { command: againCommand(repeat, options) })] : []),
    ...(directory ? [say("prove.kept", { directory })] : []),
  ]);
  const closing = report.ok ? [say("prove.clean")] : [say("prove.faulty"), ...lines];
  if (report.interrupted) closing.unshift(say("prove.interrupted"));
  return `${table(rows)}\n${closing.join("\n")}\n`;
}

const renderTroubles = (troubles: ProveReport["troubles"], say: Say): string =>
  (Object.keys(troubleTexts) as TroubleKind[])
    .map((kind) => `${say(troubleTexts[kind])} ${troubles[kind]}`)
    .join(", ");

const troubleTexts = {
  "full disk": "prove.trouble.disk",
  "I/O error": "prove.trouble.eio",
  "damaged page": "prove.trouble.damage",
  "lost database": "prove.trouble.loss",
  restore: "prove.trouble.restore",
  "clock jump": "prove.trouble.clock",
  "hanging send": "prove.trouble.hang",
} as const satisfies Record<TroubleKind, TextKey>;

const againCommand = (repeat: string, { plant }: Options) =>
  `pincer prove --keep --repeat '${repeat}'${plant ? ` --plant ${plant}` : ""}`;

function renderSoak(report: SoakReport, say: Say): string {
  const { verdict } = report;
  const count = (kind: FaultKind) => verdict.faults.filter((fault) => fault.kind === kind).length;
  const rows = [
    [say("prove.messages"), String(report.messages)],
    [say("prove.kills"), String(report.kills)],
    ...renderCounts(count, verdict.markedRepeats, say),
    [say("prove.told"), String(verdict.toldFailed.length)],
    [say("prove.heap"), String(report.heapMbPer10k ?? "?")],
    [say("prove.rss"), String(report.rssMbPer10k ?? "?")],
    [say("prove.delay"), String(report.delayMs)],
    [say("prove.rate"), String(report.messagesPerSecond)],
    [say("prove.seconds"), String(report.seconds)],
  ];
  const isClean = verdict.faults.length === 0;
  const closing = isClean ? [say("prove.clean")] : [say("prove.faulty"), ...renderFaults(verdict.faults)];
  if (report.directory) closing.push(say("prove.kept", { directory: report.directory }));
  return `${table(rows)}\n${closing.join("\n")}\n`;
}

const renderCounts = (count: (kind: FaultKind) => number, markedRepeats: number, say: Say): string[][] => [
  [say("prove.lost"), String(count("lost"))],
  [say("prove.silent"), String(count("silent"))],
  [say("prove.doubled"), String(count("doubled"))],
  [say("prove.marked"), String(markedRepeats)],
  [say("prove.misordered"), String(count("misordered"))],
  [say("prove.misrouted"), String(count("misrouted"))],
  [say("prove.less-policy"), String(count("lessPolicy"))],
  [say("prove.corrupt"), String(count("corrupt"))],
];

function renderFaults(faults: readonly Fault[]): string[] {
  const shown = faults.slice(0, 20).map(({ kind, detail }) => `${kind}: ${detail}`);
  return faults.length > 20 ? [...shown, `… ${faults.length - 20}`] : shown;
}

/** `7–21` for what follows on one another. */
function ranges(numbers: readonly number[]): string {
  const runs: Array<{ from: number; to: number }> = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}
