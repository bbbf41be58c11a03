/** The commander program: its name, its behaviour and its language. */
import { Command } from "commander";
import type { CommandContext } from "./command.ts";
import { groupOf, placeOf } from "./command-groups.ts";
import { usageError } from "./usage-error.ts";

export function createProgram({ say, typed }: CommandContext, version: string): Command {
  return new Command("pincer")
    .description(say("help.about"))
    .version(version, "-V, --version", say("help.version"))
    .helpOption("-h, --help", say("help.help"))
    .commandsGroup(say("help.group.upkeep"))
    .helpCommand("help [command]", say("help.command"))
    .addHelpText("after", `\n${typed(say("help.more"))}`);
}

/** Gives every registered command the same manners: output through the terminal, one usage line after an error, titles in the user's language. */
export function speakLike(command: Command, context: CommandContext): void {
  const { say, terminal, typed } = context;
  const titles: Record<string, string> = {
    "Usage:": say("help.title.usage"),
    "Options:": say("help.title.options"),
    "Commands:": say("help.title.commands"),
    "Arguments:": say("help.title.arguments"),
    "Global Options:": say("help.title.options"),
  };
  command
    .exitOverride()
    .helpOption("-h, --help", say("help.help"))
    .configureHelp({ styleTitle: (title) => titles[title] ?? title, helpWidth: 100 })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: (text, write) =>
        write(`${usageError(text, say, pathOf(command), typed)}${usageLine(command, context)}`),
    });
  if (!command.parent) arrange(command, context);
  for (const child of command.commands) speakLike(child, context);
}

/** Puts the commands into their order and groups. */
function arrange(program: Command, { say }: CommandContext): void {
  (program.commands as Command[]).sort((one, other) => placeOf(one.name()) - placeOf(other.name()));
  for (const child of program.commands) {
    const group = groupOf(child.name());
    if (group) child.helpGroup(say(`help.group.${group}`));
  }
}

/** `Usage: pincer ask [options] [input]` */
export function usageLine(command: Command, { say }: Pick<CommandContext, "say">): string {
  return `${say("help.title.usage")} ${pathOf(command)} ${command.usage()}\n`;
}

/** `pincer sessions list` */
function pathOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each; each = each.parent) names.unshift(each.name());
  return names.join(" ");
}
