/** `/help`: the commands that this person may use here, in groups; and details of one command. */
import type { Say } from "../infra/texts.ts";
import type { CallerReach } from "../storage/inbox/inbox.ts";
import {
  answered,
  commandGroups,
  mayUse,
  outOfReach,
  placeOfCall,
  refusalOf,
  type Command,
  type CommandPlace,
} from "./command.ts";
import { nearestOf } from "./nearest-command.ts";

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
    answered(helpWords({ say, known, prefix, words, place: placeOfCall(context), reach: context.reach })),
};

interface Asked extends HelpCommandParts {
  prefix: string;
  words: string;
  place: CommandPlace;
  reach: CallerReach | undefined;
}

/** Of the command that the words name; of all where they name none. */
function helpWords(asked: Asked): string {
  const { prefix, known, place, reach } = asked;
  const usable = known.filter((command) => mayUse(command, place) && !outOfReach(command.name, reach));
  const [word = ""] = asked.words.toLowerCase().split(/\s+/);
  const name = word.startsWith(prefix) ? word.slice(prefix.length) : word;
  if (name === "") return aboutAll(usable, asked);
  const isNamed = (command: ToldCommand) => command.name === name || command.aliases.includes(name);
  const one = usable.find(isNamed);
  if (one) return aboutOne(one, usable, asked);
  const others = known.find(isNamed);
  const why = others ? unusable(others, asked) : noSuch(name, usable, asked);
  return `${why}\n\n${aboutAll(usable, asked)}`;
}

/** That it is there, and not for them. */
function unusable(command: ToldCommand, { say, prefix, place, reach }: Asked): string {
  const beyond = mayUse(command, place) ? outOfReach(command.name, reach) : undefined;
  return beyond
    ? say(`permission.command.${beyond}`, { command: prefix + command.name })
    : refusalOf(command, prefix, say);
}

function noSuch(name: string, usable: readonly ToldCommand[], { say, prefix }: Telling): string {
  const none = say("command.help.unknown", { name: prefix + name });
  const nearest = nearestOf(name, usable);
  return nearest === undefined ? none : `${none}${say("command.nearest", { command: prefix + nearest })}`;
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
