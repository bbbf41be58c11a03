/** The whole command line at once, with every command registered: for help texts and the reference. */
import type { Command } from "commander";
import { createContext } from "../src/cli/command-context.ts";
import { commands } from "../src/cli/commands.ts";
import { createProgram, speakLike } from "../src/cli/program.ts";
import { systemTerminal } from "../src/cli/system-terminal.ts";
import type { Language } from "../src/infra/texts/table.ts";

export async function createFullProgram(
  language: Language,
  version: string,
  write?: (text: string) => void,
): Promise<Command> {
  const context = createContext({
    terminal: { ...systemTerminal(), ...(write ? { out: write } : {}) },
    environment: { PINCER_LANG: language },
    cwd: process.cwd(),
    signal: new AbortController().signal,
  });
  const program = createProgram(context, version);
  for (const load of new Set(commands.values())) (await load()).register(program, context);
  speakLike(program, context);
  return program;
}

/** What `--help` prints, by command path: "" is the top, then "ask", "sessions list", …, aliases included. */
export async function renderHelps(language: Language, version: string): Promise<Record<string, string>> {
  let text = "";
  const program = await createFullProgram(language, version, (more) => (text += more));
  const helps: Record<string, string> = {};
  const visit = (command: Command, paths: string[]) => {
    text = "";
    command.outputHelp();
    for (const path of paths) helps[path] = text;
    for (const child of command.commands) {
      const names = [child.name(), ...child.aliases()];
      visit(
        child,
        paths.flatMap((path) => names.map((name) => `${path} ${name}`.trim())),
      );
    }
  };
  visit(program, [""]);
  return helps;
}
