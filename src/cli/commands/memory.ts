/** `pincer memory`: searching memory, its index, and how well the search works. */
import type { Command } from "commander";
import type { OpenApi } from "../../gateway/methods/api.ts";
import { systemClock } from "../../infra/clock.ts";
import { printJson, type CommandContext } from "../command.ts";
import { memoryBehindWords, memoryHitRows, memoryIndexWords, memoryStatusWords } from "../memory-words.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { createProgressLine, percent } from "../progress-line.ts";
import { withApi } from "./with-api.ts";
import { registerBench } from "./memory-bench.ts";
import { registerUnconfirmed } from "./memory-unconfirmed.ts";

interface Options {
  agent?: string;
  limit: number;
  rebuild?: boolean;
  /** False where `--no-embed` was given. */
  embed: boolean;
  json?: boolean;
}

const mostHits = 1000;
const betweenLooksMs = 250;

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  const place = { program, context };
  const memory = program.command("memory").description(say("memory.about"));
  const tell = (lines: readonly string[]) => {
    for (const line of lines) terminal.err(`${plainText(line)}\n`);
  };
  const ofAgent = ({ agent }: Pick<Options, "agent">) => (agent === undefined ? {} : { agentId: agent });

  memory
    .command("status")
    .description(say("memory.status"))
    .option("--agent <id>", say("memory.agent"))
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) =>
        withApi("memory", place, async ({ api }) => {
          const status = await api.status(ofAgent(options), { signal });
          if (options.json) return printJson(terminal, status);
          const { report, remarks } = memoryStatusWords(status, say);
          terminal.out(plainText(report));
          tell(remarks);
        }),
      ),
    );

  memory
    .command("search")
    .argument("<words...>", say("memory.search.words"))
    .description(say("memory.search"))
    .option("--agent <id>", say("memory.agent"))
    .option("--limit <n>", say("memory.search.limit"), wholeNumber(say), 10)
    .option("--json", say("help.json"))
    .action(
      context.run((given: string[], options: Options) =>
        withApi("memory", place, async ({ api }) => {
          const words = given.join(" ");
          const limit = Math.min(options.limit, mostHits);
          const found = await api.search({ ...ofAgent(options), text: words, limit }, { signal });
          if (options.json) return printJson(terminal, found);
          if (found.hits.length === 0) tell([say("memory.search.none", { words })]);
          else {
            const { rows, alike } = memoryHitRows(found.hits, { words, width: terminal.width?.() }, say);
            terminal.out(plainText(rows));
            // Without an embedder nothing knows what is alike in meaning.
            const hasMeaning =
              alike > 0 && (await api.status(ofAgent(options), { signal })).embedder !== null;
            if (hasMeaning) tell([say("memory.search.alike", { count: alike })]);
          }
          tell(memoryBehindWords(found, say));
        }),
      ),
    );

  memory
    .command("index")
    .description(say("memory.index"))
    .option("--agent <id>", say("memory.agent"))
    .option("--rebuild", say("memory.index.rebuild"))
    .option("--no-embed", say("memory.index.no-embed"))
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) =>
        withApi("memory", place, async ({ api }) => {
          const wish = {
            ...ofAgent(options),
            ...(options.rebuild ? { rebuild: true } : {}),
            ...(options.embed ? {} : { embed: false }),
          };
          const done = await whileWatched(api, context, () => api.index(wish, { signal })).catch((error) => {
            if (signal.aborted) tell([say("memory.index.interrupted")]);
            throw error;
          });
          if (options.json) return printJson(terminal, done);
          tell(memoryIndexWords(done, say));
        }),
      ),
    );

  registerUnconfirmed(memory, place);
  registerBench(memory, place);
}

/** Shows the progress at a terminal. */
async function whileWatched<Result>(
  api: OpenApi<"memory">["api"],
  { terminal, say }: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const line = createProgressLine(terminal);
  const over = new AbortController();
  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      await systemClock.sleep(betweenLooksMs, over.signal);
      const { progress } = await api.status({}, { signal: over.signal });
      if (!over.signal.aborted)
        line.show(
          say("memory.index.working", { share: progress ? percent(progress.done, progress.total) : "" }),
        );
    }
  }
  // The work itself reports errors; a failed progress display does not matter.
  const looking = terminal.errIsTerminal ? look().catch(() => undefined) : undefined;
  try {
    return await work();
  } finally {
    over.abort();
    await looking;
    line.clear();
  }
}
