import type { SimpleCommand } from "./command-reading.ts";
import { readCommand } from "./read-command.ts";

/**
 * What a shell would make of a call that runs a command or types one into a program; undefined where it holds none that can be read. For rules:
 * they are asked about it besides the text itself. Never throws.
 */
export async function commandsOfCall(given: unknown): Promise<readonly SimpleCommand[] | undefined> {
  const { command, text } = (given ?? {}) as { command?: unknown; text?: unknown };
  const written = [command, text].find((each) => typeof each === "string");
  if (written === undefined) return undefined;
  const reading = await readCommand(written);
  return reading.type === "read" ? reading.commands : undefined;
}
