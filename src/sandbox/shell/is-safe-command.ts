/** Whether a command runs nothing but programs that the owner called safe, and stays with them in the workdir as far as its words say. */
import type { CommandReading, SeenRedirect, SeenWord, SimpleCommand } from "./command-reading.ts";
import { pathsInWord } from "./paths-in-word.ts";
import { visibleCommand } from "./visible-command.ts";
import { patternStaysInside, staysInside, type Place } from "./stays-inside.ts";
import { programName } from "./wrappers.ts";

export interface SafeTerms extends Place {
  /** Names of programs, without paths. */
  safeBins: readonly string[];
}

/** Whatever is not seen for certain is not safe. */
export function isSafeCommand(reading: CommandReading, terms: SafeTerms): boolean {
  if (reading.type !== "read" || howMuch(reading.commands) > mostCharacters) return false;
  if (howManyPatterns(reading.commands) > mostPatterns) return false;
  return reading.commands.every((command) => isSafe(command, terms));
}

/** Every part of every word is looked up on disk, which blocks other work. */
const mostCharacters = 4000;
/** For each a directory is gone through. */
const mostPatterns = 4;

const howMuch = (commands: readonly SimpleCommand[]): number =>
  commands.flatMap(({ words }) => words).reduce((sum, { text }) => sum + text.length, 0);

const howManyPatterns = (commands: readonly SimpleCommand[]): number =>
  commands.flatMap(({ words }) => words).filter(({ type }) => type === "pattern").length;

function isSafe(command: SimpleCommand, terms: SafeTerms): boolean {
  const { words, assignments, redirects, hides, standing, hasMoreWords } = command;
  const [program, ...rest] = words;
  if (hides !== undefined || hasMoreWords) return false;
  if (standing.includes("substitution") || standing.includes("function")) return false;
  // What runs others has options of its own, and knows more ways to name them than anybody reads.
  if (standing.includes("wrapped")) return false;
  if (!assignments.every(({ name, value }) => isHarmless(name) && value.type === "fixed")) return false;
  if (!redirects.every((redirect) => isSafeRedirect(redirect, terms))) return false;
  if (!program) return true;
  if (program.type !== "fixed" || !terms.safeBins.includes(program.text)) return false;
  if (!words.every(({ text }) => isPlainlySeen(text))) return false;
  if (program.text.includes("/")) return false;
  if (isAlwaysAsked(program.text)) return false;
  return rest.every((word) => isSafeWord(word, terms));
}

/** Whether it is what it looks like: no invisible or look-alike characters, and no second line. */
const isPlainlySeen = (text: string): boolean =>
  text.normalize("NFKC") === text && visibleCommand(text) === text && !text.includes("\n");

/** Names that choose words and times. Any other may steer which program runs: PATH, LD_PRELOAD, IFS, PAGER, … */
const isHarmless = (name: string): boolean => /^(?:LANG|LC_[A-Z]+|TZ)$/.test(name);

function isSafeRedirect({ operator, target, writes }: SeenRedirect, terms: SafeTerms): boolean {
  if (target === undefined) return true;
  if (target.type !== "fixed") return false;
  return (!writes && operator !== "<") || staysInside(target.text, terms);
}

function isSafeWord({ type, text }: SeenWord, terms: SafeTerms): boolean {
  if (type === "dynamic") return false;
  // An address of a file is a path in disguise.
  if (/file:/i.test(text)) return false;
  // The name of a file could pass for an option where nothing stands before the sign.
  if (type === "pattern" && /^[-*?[]/.test(text)) return false;
  if (type === "pattern" && !patternStaysInside(text, terms)) return false;
  return pathsInWord(text)?.every((path) => staysInside(path, terms)) ?? false;
}

/** By its name, with or without a number of its version: `python3.12` is `python`. */
function isAlwaysAsked(program: string): boolean {
  const name = programName(program);
  return alwaysAsked.has(name) || alwaysAsked.has(name.replace(/[-\d.]+$/, ""));
}

const languages =
  "awk gawk mawk nawk sed ed perl python pypy ruby php lua node deno bun tclsh expect gdb dc m4 sqlite";
const runners =
  "find fd xargs parallel env sudo doas su ssh scp sftp rsync git hg svn tar bsdtar zip cpio docker podman";
const screens = "vi vim nvim view ex emacs nano less more most man info";
/** Parts of the shell: what they set decides what later words mean. */
const ofTheShell =
  "cd pushd popd chdir export declare typeset local readonly unset alias set shopt eval source . exec trap hash enable read let mapfile readarray getopts bind complete";

/**
 * Programs that are never safe by their names: each runs others, or reads and writes whatever it is told to in a language of its own, so that
 * neither its name nor paths among its words say what it will do. Short on purpose, and told in docs/guides/programs.md.
 */
export const alwaysAsked: ReadonlySet<string> = new Set(
  [languages, runners, screens, ofTheShell].flatMap((names) => names.split(" ")),
);
