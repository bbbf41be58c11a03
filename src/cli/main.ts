/** Parses the command line, runs one command, and turns its end into an exit status. */
import { CommanderError } from "commander";
import { catchSignals } from "./catch-signals.ts";
import { systemTerminal } from "./system-terminal.ts";
import { createContext } from "./command-context.ts";
import { commands } from "./commands.ts";
import { createProgram, speakLike } from "./program.ts";
import { expandSwitches } from "./switch-arguments.ts";
import { createTypedHere } from "./typed-here.ts";
import { readVersion } from "./version.ts";

/** Resolves to the exit status: 0 done, 1 failed, 2 wrong usage. Never throws. */
export async function main(args: string[], builtVersion?: string): Promise<number> {
  const signal = catchSignals(process);
  const context = createContext({
    terminal: systemTerminal(),
    environment: process.env,
    cwd: process.cwd(),
    signal,
    typed: createTypedHere({ environment: process.env, script: process.argv[1] }),
  });
  const program = createProgram(context, builtVersion ?? readVersion());
  const load = commands.get(args.find((arg) => !arg.startsWith("-")) ?? "");
  const modules = load ? [load] : [...new Set(commands.values())];
  for (const loadModule of modules) (await loadModule()).register(program, context);
  speakLike(program, context);

  try {
    await program.parseAsync(args.length > 0 ? expandSwitches(args) : ["--help"], { from: "user" });
    return context.exitStatus();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return context.report(error, false);
  }
}
