/** `pincer onboard` (also `setup`) leads to a first answer; `configure` does one part of it again. Every answer can be given as a flag. */
import { setupSteps } from "@pincer/sdk";
import { Argument, Option, type Command } from "commander";
import type { CommandContext } from "../command.ts";
import { addAnswers, checkedAnswers, type OnboardOptions } from "./onboard-answers.ts";
import { runConfigure, runOnboard, type Part } from "./onboard-run.ts";

const parts = ["model", "assistant", "channel", "service", "access"] as const satisfies Part[];

export function register(program: Command, context: CommandContext): void {
  const { say } = context;
  const place = { program, context };

  addAnswers(program.command("onboard").alias("setup").description(say("onboard.about")), context)
    .addOption(new Option("--skip <steps...>", say("onboard.skip")).choices(setupSteps))
    .option("--message <text>", say("onboard.message"))
    .option("--no-message", say("onboard.no-message"))
    .action(context.run((options: OnboardOptions) => runOnboard(place, checkedAnswers(options))));

  addAnswers(program.command("configure").description(say("configure.about")), context)
    .addArgument(new Argument("[part]", say("configure.part")).choices(parts))
    .action(
      context.run((part: Part | undefined, options: OnboardOptions) =>
        runConfigure(place, part, checkedAnswers(options)),
      ),
    );
}
