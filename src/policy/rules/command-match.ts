/**
 * Whether a command runs what a rule names: `git push` is also `git -C there push`, `rm -rf` also `rm --recursive
 * -f`. It errs on the side of the rule: a word known only at run time counts as the forbidden one.
 */
import type { SeenWord, SimpleCommand } from "../../sandbox/shell/command-reading.ts";
import { fold } from "./text-reading.ts";

/** `wanted` is folded: a program, perhaps with arguments. False if it cannot be a program. */
export function runsCommand(commands: readonly SimpleCommand[], wanted: string): boolean {
  const [program = "", ...rest] = wanted.split(" ");
  if (!isProgramName(program)) return false;
  return commands.some((command) => runsOne(command, program, rest));
}

function runsOne(
  { words, hasMoreWords }: SimpleCommand,
  program: string,
  wanted: readonly string[],
): boolean {
  const [first, ...given] = words;
  if (!first) return false;
  // A name computed at run time may be any program.
  if (first.type !== "fixed") return true;
  if (lastPart(first.text) !== program) return false;
  if (hasMoreWords || given.some(({ type }) => type === "dynamic")) return true;
  return hasAll(given, wanted);
}

/** Plain words in order, with gaps; options in any order and spelling. */
function hasAll(given: readonly SeenWord[], wanted: readonly string[]): boolean {
  const texts = given.map(({ text }) => fold(text));
  const isOption = (text: string) => /^-./.test(text);
  let at = 0;
  for (const word of wanted.filter((each) => !isOption(each))) {
    while (at < texts.length && texts[at] !== word) at++;
    if (at++ >= texts.length) return false;
  }
  const options = texts.filter(isOption).flatMap(namesOfOption);
  return wanted
    .filter(isOption)
    .flatMap(namesOfOption)
    .every((name) => options.some((option) => isSameOption(option, name)));
}

/** `-rf` is two options. */
const namesOfOption = (text: string): string[] =>
  text.startsWith("--") ? [text.slice(2).split("=")[0] ?? ""] : Array.from(text.slice(1));

/** A long option may be abbreviated, and its first letter is usually its short form. */
const isSameOption = (option: string, name: string): boolean =>
  option.length > 0 && name.length > 0 && (option.startsWith(name) || name.startsWith(option));

/** No dots as in hosts, no numbers, no names of people. */
const isProgramName = (text: string): boolean => /^[a-z_][\w+-]*$/.test(text) || text === "[";

const lastPart = (text: string): string => fold(text).split(/[/\\]/).at(-1) ?? "";
