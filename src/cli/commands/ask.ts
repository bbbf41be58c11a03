/** `pincer ask`: one question, one answer, then the process ends. */
import type { Command } from "commander";
import type { CommandContext } from "../command.ts";
import { addTurnOptions } from "../turn-options.ts";
import { answerOnce, type AnswerOptions } from "./answer-once.ts";

export function register(program: Command, context: CommandContext): void {
  const { say } = context;
  const command = program
    .command("ask")
    .description(say("ask.about"))
    .argument("[input...]", say("ask.input"));
  addTurnOptions(command, context)
    .option("--new-session", say("ask.new-session"))
    .option("--continue", say("ask.continue"))
    .option("--dry-run", say("ask.dry-run"))
    .option("--debug", say("ask.debug"))
    .option("--json", say("help.json"))
    .action(
      context.run((words: string[], options: AnswerOptions) =>
        answerOnce({ program, command, context }, words, options),
      ),
    );
}
