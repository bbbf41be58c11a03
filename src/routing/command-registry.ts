/** The registry of commands: everything under `,`, `!` and `/`, on channels and at the terminal alike. */
import type { CommandFactView } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";
import type { CallerReach } from "../storage/inbox/inbox.ts";
import { approvalCommands, type ApprovalCommandParts } from "./approval-commands.ts";
import { mayUse, outOfReach, type Command, type CommandArgument, type CommandPlace } from "./command.ts";
import { configCommand, type ConfigCommandParts } from "./config-command.ts";
import { contextCommand, type ContextCommandParts } from "./context-command.ts";
import { conversationCommands, type ConversationCommandParts } from "./conversation-commands.ts";
import { helpCommand, type HelpCommandParts } from "./help-command.ts";
import { memoryCommands, type MemoryCommandParts } from "./memory-commands.ts";
import { nearestOf } from "./nearest-command.ts";
import { ruleCommands, type RuleCommandParts } from "./rule-command.ts";
import { settingCommands, type SettingCommandParts } from "./setting-commands.ts";
import { signInCommands, type SignInCommandParts } from "./sign-in-commands.ts";
import { stateCommands, type StateCommandParts } from "./state-commands.ts";
import { tapeCommands, type TapeCommandParts } from "./tape-commands.ts";
import { toolCommands, type ToolCommandParts } from "./tool-commands.ts";
import { undoCommand, type UndoCommandParts } from "./undo-command.ts";
import { whyCommand, type WhyCommandParts } from "./why-command.ts";

/** What the commands stand on, all of them together. */
export interface RegistryParts
  extends
    ConversationCommandParts,
    StateCommandParts,
    SignInCommandParts,
    TapeCommandParts,
    RuleCommandParts,
    ContextCommandParts,
    UndoCommandParts,
    ApprovalCommandParts,
    WhyCommandParts,
    MemoryCommandParts,
    SettingCommandParts,
    ToolCommandParts,
    ConfigCommandParts,
    HelpCommandParts {}

export const commandRegistry: ReadonlyArray<Command<RegistryParts>> = [
  helpCommand,
  ...conversationCommands,
  undoCommand,
  ...settingCommands,
  ...approvalCommands,
  whyCommand,
  ...ruleCommands,
  ...memoryCommands,
  ...tapeCommands,
  contextCommand,
  ...stateCommands,
  ...signInCommands,
  ...toolCommands,
  configCommand,
];

export const commandNames: readonly string[] = commandRegistry.map(({ name }) => name);

/** By its name or another one that it goes by, in any case. */
export function findCommand(word: string): Command<RegistryParts> | undefined {
  const name = word.toLowerCase();
  return commandRegistry.find((each) => each.name === name || each.aliases.includes(name));
}

/** The known name that a word was probably meant to be; undefined where it is one, or none is near. */
export function nearestCommand(word: string, place?: CommandPlace): string | undefined {
  if (findCommand(word)) return undefined;
  const usable = commandRegistry.filter((command) => place === undefined || mayUse(command, place));
  return nearestOf(word, usable);
}

/** Whether an unknown name can be nothing but a slip of a command: behind `!`, or with a dot as ours have it. */
export function isForCommands(name: string, prefix: string): boolean {
  return name.includes(".") ? families.some((family) => name.startsWith(family)) : prefix === "!";
}

/** `tape.`, `tool.`. */
const families = [
  ...new Set(commandNames.filter((name) => name.includes(".")).map((name) => `${name.split(".", 1)[0]}.`)),
];

/** Those that somebody may use there; without a place and a reach, all that there are. */
export function commandFacts(say: Say, place?: CommandPlace, reach?: CallerReach): CommandFactView[] {
  return commandRegistry
    .filter((command) => place === undefined || mayUse(command, place))
    .filter(({ name }) => !outOfReach(name, reach))
    .map((command) => ({
      name: command.name,
      aliases: [...command.aliases],
      prefix: "/",
      usage: command.usage,
      help: say(command.help),
      group: command.group,
      ownerOnly: !mayUse(command, { role: "peer", isGroup: place?.isGroup ?? false }),
      arguments: command.arguments.map(argumentFact),
    }));
}

const argumentFact = ({ name, choices }: CommandArgument) => ({
  name,
  ...(choices && { choices: [...choices] }),
});
