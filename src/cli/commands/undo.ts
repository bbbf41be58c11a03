/** `pincer undo`: undoes what a turn changed in the workdir. */
import type { Command } from "commander";
import { changesWords, undoListWords, undoneWords } from "../../infra/undo-words.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { withApi, isSure } from "./with-api.ts";

interface Options {
  list?: boolean;
  show?: boolean;
  force?: boolean;
  session?: string;
  limit?: number;
  json?: boolean;
  yes?: boolean;
}

const usualTurns = 20;

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const named = ({ session }: Options) => (session === undefined ? {} : { sessionKey: session });

  const list = (options: Options) =>
    withApi("undo", place, async ({ api }) => {
      const limit = Math.min(options.limit ?? usualTurns, 1000);
      const found = await api.list({ ...named(options), limit });
      if (options.json) return printJson(terminal, found);
      if (found.turns.length === 0) return terminal.err(`${say("undo.list.none")}\n`);
      terminal.out(`${plainText(undoListWords(found.turns, say))}\n`);
    });

  const undo = (turn: string | undefined, options: Options) =>
    withApi("undo", place, async ({ api }) => {
      const found = await api.show({ ...named(options), ...(turn === undefined ? {} : { turnId: turn }) });
      const { turnId, sessionKey } = found.turn;
      const changes = plainText(changesWords(found.turn, say));
      if (options.show) {
        const diff = await api.diff({ turnId, sessionKey });
        if (options.json) return printJson(terminal, { ...found, diff });
        terminal.out(`${changes}\n${plainText(diff.text)}\n`);
        if (!diff.isWhole) terminal.err(`${say("changes.not-whole")}\n`);
        else if (terminal.outIsTerminal) await api.seen({ turnId, sessionKey });
        return;
      }
      if (!options.yes) terminal.err(`${changes}\n`);
      if (!(await isSure(context, say("undo.sure"), { yes: options.yes, otherwise: "undo.not" }))) return 1;
      const report = await api.apply({ ...named(options), turnId, force: options.force === true });
      if (options.json) return printJson(terminal, report);
      const words = undoneWords(report, say, { undo: context.typed("pincer undo"), force: "--force" });
      return terminal.err(`${plainText(words)}\n`);
    });

  program
    .command("undo")
    .argument("[turn]", say("undo.turn"))
    .description(say("undo.about"))
    .option("--list", say("undo.list"))
    .option("--show", say("undo.show"))
    .option("--force", say("undo.force"))
    .option("--session <key>", say("undo.session"))
    .option("--limit <n>", say("option.limit"), wholeNumber(say), usualTurns)
    .option("--json", say("help.json"))
    .option("-y, --yes", say("option.yes"))
    .action(
      context.run((turn: string | undefined, options: Options) =>
        // No turn has that name: the person wants the list.
        options.list || turn === "list" ? list(options) : undo(turn, options),
      ),
    );
}
