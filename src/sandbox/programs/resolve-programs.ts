/** Resolves the programs of a command to the files that a shell would run now. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import type { CommandReading } from "../shell/command-reading.ts";
import { identifyFile, type FileIdentity } from "./file-identity.ts";

export interface ResolvedProgram {
  /** As it is written. */
  name: string;
  /**
   * `file`: what a shell would find, unless the command changes the search. `shell`: a builtin. `missing`: not found.
   * `unknown`: known only at run time, or on another machine.
   */
  type: "file" | "shell" | "missing" | "unknown";
  file?: FileIdentity;
}

export interface ProgramPlaces {
  /** PATH, as the command has it. */
  path: string;
  /** A real path. */
  cwd: string;
}

/** Each name once, in order. Reads the disk synchronously. */
export function resolvePrograms(reading: CommandReading, places: ProgramPlaces): ResolvedProgram[] {
  const commands = reading.type === "read" ? reading.commands : [];
  const known = new Map<string, ResolvedProgram>();
  for (const { words } of commands) {
    const [program] = words;
    if (!program || known.has(program.text)) continue;
    const { type, text } = program;
    known.set(text, type === "fixed" ? resolveName(text, places) : { name: text, type: "unknown" });
  }
  return [...known.values()];
}

function resolveName(name: string, { path, cwd }: ProgramPlaces): ResolvedProgram {
  if (!name.includes("/") && partsOfShell.has(name)) return { name, type: "shell" };
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : path.split(delimiter).flatMap((directory) => (isAbsolute(directory) ? [`${directory}/${name}`] : []));
  const found = candidates.find(isProgram);
  if (found === undefined) return { name, type: "missing" };
  const file = identifyFile(realpathSync(found));
  return file ? { name, type: "file", file } : { name, type: "unknown" };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing or not executable: a shell would search on, too.
    return false;
  }
}

/** Builtins of every shell, so that no file of this name is run. */
const partsOfShell: ReadonlySet<string> = new Set(
  ". : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill printf pwd read readonly return set shift test times trap true type ulimit umask unalias unset wait [[ ((".split(
    " ",
  ),
);
