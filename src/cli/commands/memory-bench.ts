/** `pincer memory bench`: how well questions find what answers them, with a set of them or with one made of your own memory. */
import { InvalidArgumentError, type Command } from "commander";
import type { BenchEmbedder } from "../../app/bench-memory.ts";
import { failure } from "../../infra/failure.ts";
import { benchProgressWords, benchWords } from "../bench-words.ts";
import { printJson, type CommandContext } from "../command.ts";
import { commaList, wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { createProgressLine } from "../progress-line.ts";

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
  const { benchMemory } = await import("../../app/bench-memory.ts");
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
  const { makeBenchSet } = await import("../../app/make-bench-set.ts");
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
  const { addToBenchSet } = await import("../../app/bench-set-file.ts");
  const added = await addToBenchSet({ file, question, relevant: commaList(relevant) }, cwd);
  if (options.json) return printJson(terminal, { file, ...added });
  terminal.err(`${plainText(say("memory.bench.added", { file, ...added }))}\n`);
}
