/** `/help`: the commands that this person may use here, in groups; and details of one command. */
import type { Say } from "../infra/texts.ts";
import { answered, commandGroups, mayUse, placeOfCall, type Command, type CommandPlace } from "./command.ts";

/** What is told of a command before anybody runs it. */
export type ToldCommand = Omit<Command<never>, "run">;

export interface HelpCommandParts {
  say: Say;
  /** All that there are. */
  known: readonly ToldCommand[];
}

export const helpCommand: Command<HelpCommandParts> = {
  name: "help",
  aliases: ["commands", "start"],
  group: "about",
  usage: "[name]",
  help: "command.about.help",
  access: "anyone",
  arguments: [{ name: "name" }],
  run: async ({ say, known }, { prefix, words, context }) =>
    answered(helpWords({ say, known, prefix, words, place: placeOfCall(context) })),
};

/** Of the command that the words name; of all where they name none. */
export function helpWords(
  asked: HelpCommandParts & { prefix: string; words: string; place: CommandPlace },
): string {
  const usable = asked.known.filter((command) => mayUse(command, asked.place));
  const [word = ""] = asked.words.toLowerCase().split(/\s+/);
  const name = word.startsWith(asked.prefix) ? word.slice(asked.prefix.length) : word;
  const one = usable.find((command) => command.name === name || command.aliases.includes(name));
  return one ? aboutOne(one, usable, asked) : aboutAll(usable, asked);
}

interface Telling {
  say: Say;
  prefix: string;
}

function aboutAll(usable: readonly ToldCommand[], { say, prefix }: Telling): string {
  const groups = commandGroups.flatMap((group) => {
    const lines = usable.filter((command) => command.group === group).map(lineOf({ say, prefix }));
    return lines.length === 0 ? [] : [[say(`command.group.${group}`), ...lines].join("\n")];
  });
  return [say("command.help.title", { prefix }), ...groups].join("\n\n");
}

function aboutOne(command: ToldCommand, usable: readonly ToldCommand[], { say, prefix }: Telling): string {
  const { aliases, access, group } = command;
  const also = aliases.map((alias) => `${prefix}${alias}`).join(", ");
  const choices = command.arguments.flatMap(({ name, choices: few }) =>
    few ? [say("command.help.choices", { name, choices: few.join(", ") })] : [],
  );
  const related = usable.filter((each) => each.group === group && each !== command);
  return [
    lineOf({ say, prefix })(command),
    ...choices,
    ...(also === "" ? [] : [say("command.help.also", { names: also })]),
    ...(access === "anyone" ? [] : [say(`command.help.${access}`)]),
    ...(related.length === 0 ? [] : [say("command.help.related")]),
    ...related.map(lineOf({ say, prefix })),
  ].join("\n");
}

const lineOf =
  ({ say, prefix }: Telling) =>
  ({ name, usage, help }: ToldCommand): string =>
    `${prefix}${name}${usage === "" ? "" : ` ${usage}`} – ${say(help)}`;
