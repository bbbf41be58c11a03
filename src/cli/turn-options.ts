/** The flags that every command that starts a turn shares. */
import { InvalidArgumentError, type Command } from "commander";
import type { AskRequest } from "../app/ask.ts";
import type { Say } from "../infra/texts.ts";
import type { CommandContext } from "./command.ts";
import { commaList, wholeNumber } from "./option-values.ts";

export interface TurnOptions {
  provider?: string;
  model?: string;
  profile?: string;
  agent?: string;
  session?: string;
  memory?: boolean;
  withTools: boolean;
  toolAllow?: string[];
  toolMaxSteps?: number;
  workdir?: string;
  configProfile?: string;
  context?: ContextStrategy;
  thinking?: NonNullable<AskRequest["wishes"]["thinking"]>;
}

const contextStrategies = ["full", "minimal", "none", "lite", "custom"] as const;
type ContextStrategy = (typeof contextStrategies)[number];

export function addTurnOptions(command: Command, { say }: CommandContext): Command {
  return command
    .option("--provider <provider>", say("ask.provider"))
    .option("--model <model>", say("ask.model"))
    .option("--profile <id>", say("ask.profile"))
    .option("--agent <id>", say("ask.agent"))
    .option("--session <key>", say("ask.session"))
    .option("--memory", say("ask.memory"))
    .option("--no-memory", say("ask.no-memory"))
    .option("--with-tools", say("ask.with-tools"), true)
    .option("--no-with-tools", say("ask.no-with-tools"))
    .option("--tool-allow <names>", say("ask.tool-allow"), commaList)
    .option("--tool-max-steps <n>", say("ask.tool-max-steps"), wholeNumber(say))
    .option("--context <strategy>", say("ask.context"), (text) => readStrategy(text, say))
    .option("--workdir <dir>", say("ask.workdir"))
    .option("--config-profile <name>", say("ask.config-profile"));
}

/** Only the options that were given, without the command's defaults. */
export function explicitWishes(command: Command, options: TurnOptions): AskRequest["wishes"] {
  const { tools, ...wishes } = turnRequest(options).wishes;
  const isWritten = ["withTools", "toolAllow", "toolMaxSteps"].some(
    (name) => command.getOptionValueSource(name) === "cli",
  );
  return { ...wishes, ...(tools && isWritten ? { tools } : {}) };
}

/** The part of a request that comes from the flags. */
export function turnRequest(
  options: TurnOptions & { newSession?: boolean; dryRun?: boolean },
): Pick<AskRequest, "agentId" | "sessionKey" | "wishes"> {
  return {
    ...(options.agent ? { agentId: options.agent } : {}),
    ...(options.session === undefined ? {} : { sessionKey: options.session }),
    wishes: {
      ...(options.provider ? { provider: options.provider } : {}),
      ...(options.model ? { model: options.model } : {}),
      ...(options.profile ? { credential: options.profile } : {}),
      ...(options.newSession ? { newSession: true } : {}),
      ...(options.dryRun ? { dryRun: true } : {}),
      ...(options.context ? { context: options.context } : {}),
      ...(options.thinking ? { thinking: options.thinking } : {}),
      ...(options.memory === undefined ? {} : { memory: options.memory }),
      tools: {
        enabled: options.withTools,
        allow: options.toolAllow ?? [],
        ...(options.toolMaxSteps === undefined ? {} : { maxSteps: options.toolMaxSteps }),
      },
    },
  };
}

function readStrategy(text: string, say: Say): ContextStrategy {
  const strategy = contextStrategies.find((each) => each === text);
  if (!strategy) throw new InvalidArgumentError(say("ask.context.not", { value: text }));
  return strategy;
}
