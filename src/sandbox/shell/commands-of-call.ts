import type { SimpleCommand } from "./command-reading.ts";
import { readCommand } from "./read-command.ts";

/**
 * The shell commands in a call that runs one or types one into a program; undefined if there is none that can be
 * parsed. Rules check it besides the text itself. Never throws.
 */
export async function commandsOfCall(given: unknown): Promise<readonly SimpleCommand[] | undefined> {
  const { command, text } = (given ?? {}) as { command?: unknown; text?: unknown };
  const written = [command, text].find((each) => typeof each === "string");
  if (written === undefined) return undefined;
  const reading = await readCommand(written);
  return reading.type === "read" ? reading.commands : undefined;
}
