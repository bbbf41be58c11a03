/** The answers of the first run, as flags. */
import type { SetupStep } from "@pincer/sdk";
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";

export interface OnboardOptions {
  take?: string;
  provider?: string;
  model?: string;
  baseUrl?: string;
  keyStdin?: boolean;
  keyEnv?: string;
  name?: string;
  user?: string;
  channel?: string;
  set?: string[];
  tokenStdin?: boolean;
  tokenEnv?: string;
  /** Undefined where nothing was said. */
  service?: boolean;
  background?: boolean;
  message?: string | false;
  skip?: SetupStep[];
  yes?: boolean;
  json?: boolean;
}

export function addAnswers(command: Command, { say }: CommandContext): Command {
  return command
    .option("--take <id>", say("onboard.take"))
    .option("--provider <id>", say("onboard.provider"))
    .option("--model <model>", say("onboard.model"))
    .option("--base-url <url>", say("onboard.base-url"))
    .option("--key-stdin", say("onboard.key-stdin"))
    .option("--key-env <variable>", say("onboard.key-env"))
    .option("--name <name>", say("onboard.name"))
    .option("--user <name>", say("onboard.user"))
    .option("--channel <name>", say("onboard.channel"))
    .option("--set <key=value>", say("channels.add.set"), (given: string, all: string[] = []) => [
      ...all,
      given,
    ])
    .option("--token-stdin", say("onboard.token-stdin"))
    .option("--token-env <variable>", say("onboard.token-env"))
    .option("--service", say("onboard.service"))
    .option("--no-service", say("onboard.no-service"))
    .option("--background", say("onboard.background"))
    .option("--yes", say("onboard.all-yes"))
    .option("--json", say("help.json"));
}

/** There is one stdin, and one way to a model at a time. Throws `usage/bad-argument`. */
export function checkedAnswers(options: OnboardOptions): OnboardOptions {
  const clash = (one: string, other: string) => failure("usage/bad-argument", "onboard.both", { one, other });
  if (options.keyStdin && options.tokenStdin) throw clash("--key-stdin", "--token-stdin");
  if (options.keyStdin && options.keyEnv !== undefined) throw clash("--key-stdin", "--key-env");
  if (options.tokenStdin && options.tokenEnv !== undefined) throw clash("--token-stdin", "--token-env");
  if (options.take !== undefined && options.provider !== undefined) throw clash("--take", "--provider");
  if (options.service && options.background) throw clash("--service", "--background");
  return options;
}
