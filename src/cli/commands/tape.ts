/** `pincer tape`: the stored history of a session. */
import type { Command } from "commander";
import { handoffWords, tapeHitWords, tapeInfoWords, tapeMarkWords } from "../../infra/tape-words.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { withApi } from "./with-api.ts";

interface Options {
  session?: string;
  limit?: number;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const tape = program.command("tape").description(say("tape.about"));
  const print = (text: string) => terminal.out(`${plainText(text)}\n`);
  const named = ({ session }: Options) => (session === undefined ? {} : { sessionKey: session });
  const limited = ({ limit }: Options) => (limit === undefined ? {} : { limit: Math.min(limit, 1000) });

  tape
    .command("info")
    .description(say("tape.info"))
    .option("--session <key>", say("tape.session"))
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) =>
        withApi("tape", place, async ({ api }) => {
          const info = await api.info(named(options));
          if (options.json) return printJson(terminal, info);
          print(tapeInfoWords(info, say));
        }),
      ),
    );

  tape
    .command("search")
    .argument("<words...>", say("tape.words"))
    .description(say("tape.search"))
    .option("--session <key>", say("tape.session"))
    .option("--limit <n>", say("tape.limit"), wholeNumber(say), 10)
    .option("--json", say("help.json"))
    .action(
      context.run((given: string[], options: Options) =>
        withApi("tape", place, async ({ api }) => {
          const words = given.map(asTerm).join(" ");
          const found = await api.search({ ...named(options), ...limited(options), words });
          if (options.json) return printJson(terminal, found);
          const told = tapeHitWords(found, given.join(" "), say);
          if (found.hits.length === 0) terminal.err(`${plainText(told)}\n`);
          else print(told);
        }),
      ),
    );

  tape
    .command("anchors")
    .description(say("tape.anchors"))
    .option("--session <key>", say("tape.session"))
    .option("--limit <n>", say("tape.limit"), wholeNumber(say), 20)
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) =>
        withApi("tape", place, async ({ api }) => {
          const found = await api.anchors({ ...named(options), ...limited(options) });
          if (options.json) return printJson(terminal, found);
          const told = tapeMarkWords(found.marks, say);
          if (found.marks.length === 0) terminal.err(`${told}\n`);
          else print(told);
        }),
      ),
    );

  tape
    .command("handoff")
    .argument("[name]", say("tape.handoff.name"))
    .argument("[summary...]", say("tape.handoff.words"))
    .description(say("tape.handoff"))
    .option("--session <key>", say("tape.session"))
    .option("--json", say("help.json"))
    .action(
      context.run((name: string | undefined, words: string[], options: Options) =>
        withApi("tape", place, async ({ api }) => {
          const summary = words.join(" ").trim();
          const made = await api.handoff({
            ...named(options),
            ...(name ? { name } : {}),
            ...(summary ? { summary } : {}),
          });
          if (options.json) return printJson(terminal, made);
          terminal.err(`${plainText(handoffWords(made, say))}\n`);
        }),
      ),
    );

  tape
    .command("reset")
    .description(say("tape.reset"))
    .option("--session <key>", say("tape.session"))
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) =>
        withApi("tape", place, async ({ api }) => {
          const begun = await api.reset(named(options));
          if (options.json) return printJson(terminal, begun);
          const { endedId } = begun;
          const told =
            endedId === null ? say("routing.command.new") : say("tape.reset.done", { sessionId: endedId });
          terminal.err(`${told}\n`);
        }),
      ),
    );
}

/** The shell has taken the quotes away: an argument with blanks in it is one term. */
const asTerm = (word: string): string => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word);
