import type { CommandReading } from "./command-reading.ts";

/** What a person should know of a command before it runs. */
export interface CommandDescription {
  /** Names of the programs, each once, in order; one that is known only when it runs is shown as it is written. */
  programs: string[];
  /** Targets of redirects that may make or change a file. */
  writes: string[];
  /** Something of it is known only when it runs. */
  isDynamic: boolean;
}

export function describeCommand(reading: CommandReading): CommandDescription {
  if (reading.type === "unreadable") return { programs: [], writes: [], isDynamic: true };
  const { commands } = reading;
  const programs = commands.flatMap(({ words: [program] }) => (program ? [program.text] : []));
  const targets = commands.flatMap(({ redirects }) =>
    redirects.flatMap(({ target, writes }) => (writes && target ? [target.text] : [])),
  );
  return {
    programs: [...new Set(programs)],
    writes: [...new Set(targets)],
    isDynamic: commands.some(
      ({ words, hides, hasMoreWords }) =>
        hides !== undefined || hasMoreWords || words.some(({ type }) => type === "dynamic"),
    ),
  };
}
