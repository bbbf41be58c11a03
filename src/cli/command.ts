/**
 * What every command is built from. A command module registers its flags with commander and works through `context`;
 * it is imported on demand, so it may import what it needs.
 */
import type { Command } from "commander";
import type { Redactor } from "../infra/redactor.ts";
import type { Language } from "../infra/texts/table.ts";
import type { Say } from "../infra/texts.ts";

/** The terminal as a part: stdout is for results, stderr for everything said to people. */
export interface Terminal {
  /** `isPiped`: a pipe or a file is behind it, which ends. */
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; isPiped?: boolean };
  out(text: string): void;
  err(text: string): void;
  /** For what may be long: resolves when the reader has taken it, to false when the reader has gone. Throws the signal's reason. */
  stream(text: string, signal: AbortSignal): Promise<boolean>;
  /** One JSON document on stdout; secrets are taken out of its values, and its form stays as it is. */
  json(value: unknown): void;
  /** Colours and progress only here. */
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  /** Where lines are typed and edited; left out, the process's own stdout. */
  screen?: NodeJS.WritableStream;
  /** The columns of stdout; undefined if it is no terminal. */
  width?(): number | undefined;
}

export interface CommandContext {
  terminal: Terminal;
  environment: Record<string, string | undefined>;
  cwd: string;
  say: Say;
  /** How the commands in a text are typed here; `say` does it by itself, except for what is filled in. */
  typed(text: string): string;
  /**
   * Switches the language of `say` to the config's; `auto` is that of the environment. Called by the code that loads
   * the config.
   */
  speak(language: Language | "auto"): void;
  /** Knows what must not be printed; filled by the code that opens the secrets. */
  redactor: Redactor;
  /** Tells the user, on stderr, what is not as it should be and does not stop the work. */
  notify(notice: string): void;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
  /**
   * Wraps an action: what it returns is the exit status (nothing = 0); a PincerError becomes a message and a hint
   * on stderr and, under --json, `{ "error": { code, message, hint } }` on stdout.
   */
  run<Arguments extends unknown[]>(
    action: (...args: Arguments) => Promise<number | void>,
  ): (...args: Arguments) => Promise<void>;
}

export interface CommandModule {
  register(program: Command, context: CommandContext): void;
}

/** One JSON document on stdout and nothing else. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.json(value);
}
