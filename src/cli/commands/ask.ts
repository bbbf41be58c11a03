/** `pincer ask`: one question, one answer, then the process ends. */
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { usageLine } from "../program.ts";
import { readInput } from "../read-input.ts";
import { addTurnOptions, turnRequest, type TurnOptions } from "../turn-options.ts";

const defaultSteps = 3;

interface AskOptions extends TurnOptions {
  newSession?: boolean;
  debug?: boolean;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  const command = program
    .command("ask")
    .description(say("ask.about"))
    .argument("[input...]", say("ask.input"));
  addTurnOptions(command, context)
    .option("--new-session", say("ask.new-session"))
    .option("--debug", say("ask.debug"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (words: string[], options: AskOptions) => {
        const input = await readInput(words, terminal.stdin).catch((error: unknown) => {
          terminal.err(usageLine(command, context));
          throw error;
        });
        const { createApp } = await import("../../app/create-app.ts");
        const app = await createApp(context, options);
        try {
          for (const notice of app.notices) terminal.err(`${say("notice", { notice })}\n`);
          const answer = await app.ask({
            ...turnRequest(options, defaultSteps),
            input,
            newSession: options.newSession === true,
            signal,
            onWait: (message) => terminal.err(`${message}\n`),
          });
          if (options.json) printJson(terminal, answer);
          else {
            const source = options.debug ? `[${answer.provider}/${answer.model}] ` : "";
            (answer.error === undefined ? terminal.out : terminal.err)(`${source}${answer.result}\n`);
          }
          return answer.error === undefined ? 0 : 1;
        } finally {
          await app.close();
        }
      }),
    );
}
