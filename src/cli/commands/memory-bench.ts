/**
 * `pincer memory bench`: measures how well questions find their answers, with a set of questions or one made from your
 * own memory.
 */
import type { BenchEmbedder, MemoryBenchParts, MemoryBenchReport } from "@pincer/memory-bench";
import { InvalidArgumentError, type Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { formatCount } from "../../infra/format-amounts.ts";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { commaList, wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { createProgressLine, percent } from "../progress-line.ts";
import { table } from "../table.ts";

interface Options {
  embedder: BenchEmbedder;
  limit: number;
  keep?: boolean;
  make?: string;
  questions: number;
  add?: string;
  question?: string;
  relevant?: string;
  agent?: string;
  json?: boolean;
}

interface Place {
  program: Command;
  context: CommandContext;
}

const embedders: readonly BenchEmbedder[] = ["none", "local", "auto"];
const usualLimit = 100;
const usualQuestions = 100;

export function registerBench(memory: Command, place: Place): void {
  const { context } = place;
  const { say } = context;
  memory
    .command("bench")
    .argument("[set]", say("memory.bench.set"))
    .description(say("memory.bench"))
    .option(
      "--embedder <which>",
      say("memory.bench.embedder"),
      (text) => {
        const found = embedders.find((each) => each === text);
        if (!found) throw new InvalidArgumentError(say("memory.bench.not-embedder", { embedder: text }));
        return found;
      },
      "none",
    )
    .option("--limit <n>", say("memory.bench.limit"), wholeNumber(say), usualLimit)
    .option("--keep", say("memory.bench.keep"))
    .option("--make <file>", say("memory.bench.make"))
    .option("--questions <n>", say("memory.bench.questions"), wholeNumber(say), usualQuestions)
    .option("--agent <id>", say("memory.agent"))
    .option("--add <set>", say("memory.bench.add"))
    .option("--question <text>", say("memory.bench.question"))
    .option("--relevant <places>", say("memory.bench.relevant"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (set: string | undefined, options: Options) => {
        const { make, add } = options;
        if ([set, make, add].filter((each) => each !== undefined).length !== 1)
          throw failure(
            "usage/bad-argument",
            "memory.bench.one-thing",
            {},
            { hint: "memory.bench.one-thing.hint" },
          );
        if (make !== undefined) return makeSet(make, options, place);
        if (add !== undefined) return addTo(add, options, place);
        return run(set ?? "", options, place);
      }),
    );
}

async function run(file: string, options: Options, { program, context }: Place): Promise<void> {
  const { say, terminal } = context;
  const { embedder, limit, keep = false } = options;
  const { benchMemory } = await import("@pincer/memory-bench");
  const line = createProgressLine(terminal);
  const report = await benchMemory(
    { file, embedder, limit, keep },
    {
      ...context,
      version: program.version() ?? "",
      onProgress: (progress) => line.show(benchProgressWords(progress, say)),
    },
  ).finally(() => line.clear());
  if (options.json) return printJson(terminal, report);
  terminal.out(plainText(benchWords(report, say)));
  if (report.directory !== undefined)
    terminal.err(`${say("memory.bench.kept", { directory: report.directory })}\n`);
}

async function makeSet(file: string, options: Options, { program, context }: Place): Promise<void> {
  const { say, terminal } = context;
  const { questions, agent: agentId } = options;
  const { makeBenchSet } = await import("@pincer/memory-bench");
  const made = await makeBenchSet(
    { file, questions, agentId },
    { ...context, version: program.version() ?? "" },
  );
  if (options.json) return printJson(terminal, made);
  terminal.err(`${plainText(say("memory.bench.made", made))}\n`);
  terminal.err(`${plainText(say("memory.bench.made.next", made))}\n`);
}

async function addTo(file: string, options: Options, { context }: Place): Promise<void> {
  const { say, terminal, cwd } = context;
  const { question, relevant } = options;
  if (question === undefined || question.trim() === "" || relevant === undefined)
    throw failure("usage/bad-argument", "memory.bench.add-what", {}, { hint: "memory.bench.add-what.hint" });
  const { addToBenchSet } = await import("@pincer/memory-bench");
  const added = await addToBenchSet({ file, question, relevant: commaList(relevant) }, cwd);
  if (options.json) return printJson(terminal, { file, ...added });
  terminal.err(`${plainText(say("memory.bench.added", { file, ...added }))}\n`);
}

type Figures = MemoryBenchReport["overall"];
type Progress = Parameters<MemoryBenchParts["onProgress"]>[0];

const figures = ["R@5", "R@10", "R@20", "MRR", "nDCG@10", "R@400t", "R@1600t", "nothing"] as const;

/** Shares are in percent, with one digit behind the point. */
function benchWords(report: MemoryBenchReport, say: Say): string {
  const { categories, overall, unanswerable, degraded, searchMs, embedSeconds } = report;
  const head = say("memory.bench.head", {
    name: report.name,
    lines: formatCount(report.lines),
    questions: formatCount(report.questions),
    embedder: report.embedder ?? "none",
  });
  const columns = figures.map((name) => (name === "nothing" ? say("memory.bench.column.nothing") : name));
  const row = (name: string, each: Figures) => [
    name,
    formatCount(each.questions),
    ...figures.map((figure) => share(each[figure])),
  ];
  const rows = table([
    [say("memory.bench.column.category"), say("memory.bench.column.questions"), ...columns],
    ...categories.map((each) =>
      row(each.counts ? each.category : say("memory.bench.other", { category: each.category }), each),
    ),
    row(say("memory.bench.headline"), overall),
  ]);
  const index = decimal(report.indexSeconds, 2);
  const lines = [
    ...(unanswerable.questions > 0
      ? [
          say("memory.bench.unanswerable", {
            questions: formatCount(unanswerable.questions),
            share: share(unanswerable.nothing),
          }),
        ]
      : []),
    say("memory.bench.time", { p50: decimal(searchMs.p50, 1), p95: decimal(searchMs.p95, 1), index }),
    ...(report.embedder === null
      ? []
      : [say("memory.bench.embed-time", { seconds: decimal(embedSeconds, 1) })]),
    ...(degraded ? [say("memory.bench.degraded", degraded)] : []),
  ];
  return `${head}\n\n${rows}\n${lines.join("\n")}\n`;
}

function benchProgressWords(progress: Progress, say: Say): string {
  const { name } = progress;
  if (progress.type === "indexing") return say("memory.bench.indexing", { name });
  const { done, total } = progress;
  if (progress.type === "asking") return say("memory.bench.asking", { name, done, total });
  return say("memory.bench.embedding", { name, share: percent(done, total) });
}

const decimal = (value: number, digits: number): string => value.toFixed(digits);
/** A figure that cannot be told is a dash. */
const share = (value: number | null): string => (value === null ? "–" : decimal(value * 100, 1));
