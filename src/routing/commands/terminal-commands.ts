/** The registry of commands for a chat at the terminal: parsing a line, completion, and suggestions for typos. */
import { commandRegistry, findCommand, isForCommands, nearestCommand } from "../command-registry.ts";
import { mayUse } from "../command.ts";
import { parseCommand } from "../commands.ts";

/** Whatever the config says about channels: at the terminal nobody else is there. */
export const terminalMarks: readonly string[] = [",", "/", "!"];

const place = { role: "owner", isGroup: false } as const;

export interface TerminalLine {
  /** The command's own name, whatever it was called. */
  name: string;
  prefix: string;
  words: string;
}

/** Undefined when the line is no command. */
export function readTerminalLine(line: string): TerminalLine | undefined {
  const parsed = parseCommand(line, terminalMarks);
  return parsed?.type === "known"
    ? { name: parsed.name, prefix: parsed.prefix, words: parsed.words }
    : undefined;
}

/** The command that a single word behind a mark was probably meant to be; undefined when it is one, or none is near. */
export function slipOf(line: string): string | undefined {
  const [, mark, given = ""] = /^([,/!])([a-z]+(?:\.[a-z]+)*)$/i.exec(line) ?? [];
  const nearest = mark === undefined ? undefined : nearestCommand(given, place);
  return nearest === undefined ? undefined : `${mark}${nearest}`;
}

/** A command that there is none of, where nobody but commands could be meant: behind `!`, or called `tape.…`, as on channels. */
export function unknownAtTerminal(line: string): { name: string; prefix: string } | undefined {
  const [, prefix, word = ""] = /^([,/!])([a-z][\w-]*(?:\.[\w-]+)*)(?:\s|$)/i.exec(line) ?? [];
  const name = word.toLowerCase();
  if (prefix === undefined || findCommand(name)) return undefined;
  return isForCommands(name, prefix) ? { name: prefix + name, prefix } : undefined;
}

/** What the line could become with Tab: commands behind a mark, and behind `help`. In the order of the alphabet; empty where nothing fits. */
export function completeTerminalLine(line: string): string[] {
  const [, before = "", begun = ""] = /^([,/!](?:help\s+)?)([\w.-]*)$/i.exec(line) ?? [];
  if (before === "") return [];
  const names = commandRegistry
    .filter((command) => mayUse(command, place))
    .flatMap(({ name, aliases }) => [name, ...aliases]);
  return [...new Set(names)]
    .filter((name) => name.startsWith(begun.toLowerCase()))
    .toSorted()
    .map((name) => `${before}${name}`);
}

/** The name of a command that there is none of, where one word behind a slash is all that was written; paths are none. */
export function unknownCommandIn(text: string): string | undefined {
  const [, name = ""] = /^\/([a-z][a-z0-9_-]*)$/i.exec(text.trim()) ?? [];
  return name === "" || findCommand(name.toLowerCase()) ? undefined : name.toLowerCase();
}
