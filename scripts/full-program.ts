/** The whole command line at once, with every command registered: for help texts and the reference. */
import type { Command } from "commander";
import { createContext } from "../src/cli/command-context.ts";
import { commands } from "../src/cli/commands.ts";
import { createProgram, speakLike } from "../src/cli/program.ts";
import { systemTerminal } from "../src/cli/system-terminal.ts";
import type { Language } from "../src/infra/texts/table.ts";

export async function createFullProgram(language: Language, version: string): Promise<Command> {
  const context = createContext({
    terminal: systemTerminal(),
    environment: { PINCER_LANG: language },
    cwd: process.cwd(),
    signal: new AbortController().signal,
  });
  const program = createProgram(context, version);
  for (const load of new Set(commands.values())) (await load()).register(program, context);
  speakLike(program, context);
  return program;
}
