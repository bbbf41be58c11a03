/** Completing a command while it is typed. Pure. */
import type { CommandFactView } from "@pincer/sdk";

export interface Completion {
  /** What is shown and put in. */
  text: string;
  help: string;
  usage: string;
  /** Whether something may stand behind it: then it is not sent yet. */
  takesMore: boolean;
}

const most = 12;

/** What may be meant by the words so far; nothing where they are no command, or one that is whole. */
export function completionsOf(text: string, commands: readonly CommandFactView[]): Completion[] {
  const match = /^\/([a-z0-9_.-]*)( [^\n]*)?$/i.exec(text);
  if (!match) return [];
  const [, name = "", rest] = match;
  if (rest !== undefined) return choicesOf(name, rest.slice(1), commands);
  const wanted = name.toLowerCase();
  const rank = ({ name: own, aliases }: CommandFactView): number => {
    if (own === wanted) return 0;
    if (own.startsWith(wanted)) return 1;
    if (aliases.some((alias) => alias.startsWith(wanted))) return 2;
    return own.includes(wanted) && wanted !== "" ? 3 : -1;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((each) => each.rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.command.name.localeCompare(b.command.name))
    .slice(0, wanted === "" ? commands.length : most)
    .map(({ command }) => ({
      text: `/${command.name}`,
      help: command.help,
      usage: command.usage,
      takesMore: command.arguments.length > 0,
    }));
}

function choicesOf(name: string, begun: string, commands: readonly CommandFactView[]): Completion[] {
  const command = commands.find((each) => each.name === name || each.aliases.includes(name));
  const words = begun.split(" ");
  const choices = command?.arguments[words.length - 1]?.choices ?? [];
  const last = words.at(-1) ?? "";
  const found = choices.filter((choice) => choice.startsWith(last) && choice !== last);
  const before = [`/${name}`, ...words.slice(0, -1)].join(" ");
  return found.map((choice) => ({ text: `${before} ${choice}`, help: "", usage: "", takesMore: false }));
}

/** Whether the text is a known command; anything else with a prefix goes to the model. */
export function isCommand(text: string, commands: readonly CommandFactView[]): boolean {
  const name = /^[/,!]([a-z][a-z0-9_.-]*)(?:\s|$)/i.exec(text.trim())?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return commands.some((each) => each.name === name || each.aliases.includes(name));
}
