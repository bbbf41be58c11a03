/** A terminal that remembers what was written, and a command line around it: runs one command as `main` does. */
import { CommanderError } from "commander";
import { Readable } from "node:stream";
import type { CommandModule, Terminal } from "../command.ts";
import { createContext } from "../command-context.ts";
import { createProgram, speakLike } from "../program.ts";

export interface FakeTerminal extends Terminal {
  /** Everything written to stdout so far. */
  written(): string;
  /** Everything written to stderr so far. */
  said(): string;
}

/** `typed`: what a person types; `stdin`: what comes through a pipe. */
export function createFakeTerminal(
  given: { stdin?: string; typed?: string; outIsTerminal?: boolean; errIsTerminal?: boolean } = {},
): FakeTerminal {
  const input = given.typed ?? given.stdin;
  const out: string[] = [];
  const err: string[] = [];
  return {
    stdin: Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), {
      isTTY: given.typed !== undefined,
      isPiped: given.stdin !== undefined,
    }),
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    async stream(text) {
      out.push(text);
      return true;
    },
    json: (value) => void out.push(`${JSON.stringify(value, null, 2)}\n`),
    outIsTerminal: given.outIsTerminal ?? false,
    errIsTerminal: given.errIsTerminal ?? false,
    written: () => out.join(""),
    said: () => err.join(""),
  };
}

export interface RanCommand {
  status: number;
  out: string;
  err: string;
  /** What stdout holds, read as the one JSON document that it must be. */
  json<Value = Record<string, unknown>>(): Value;
}

/** Runs one command of a module and answers with what its user would see. */
export async function runCommand(
  module: CommandModule,
  args: string[],
  given: {
    environment: Record<string, string | undefined>;
    cwd?: string;
    terminal?: FakeTerminal;
    signal?: AbortSignal;
    /** How commands are typed; left out, as they are called. */
    typed?: (text: string) => string;
  },
): Promise<RanCommand> {
  const terminal = given.terminal ?? createFakeTerminal();
  const signal = given.signal ?? new AbortController().signal;
  const { environment, cwd = "/", typed } = given;
  const context = createContext({ terminal, environment, cwd, signal, ...(typed ? { typed } : {}) });
  const program = createProgram(context, "0.0.0-test");
  module.register(program, context);
  speakLike(program, context);
  let status: number;
  try {
    await program.parseAsync(args, { from: "user" });
    status = context.exitStatus();
  } catch (error) {
    status = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : context.report(error, false);
  }
  return {
    status,
    out: terminal.written(),
    err: terminal.said(),
    json: <Value>() => JSON.parse(terminal.written()) as Value,
  };
}
