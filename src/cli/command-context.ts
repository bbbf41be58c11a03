/** Builds what commands work with. The one place where an error becomes a message and an exit status. */
import { asPincerError, type PincerError } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import { languageOf } from "../infra/language.ts";
import { createRedactor, type Redactor } from "../infra/redactor.ts";
import { createSay, type Say } from "../infra/texts.ts";
import { printJson, type CommandContext, type Terminal } from "./command.ts";
import { plainText } from "./plain-text.ts";

export interface ContextParts {
  terminal: Terminal;
  environment: Record<string, string | undefined>;
  cwd: string;
  signal: AbortSignal;
  /** How the commands in a text are typed here. */
  typed?: (text: string) => string;
}

export interface RootContext extends CommandContext {
  exitStatus(): number;
  /** Says what went wrong and answers the exit status for it. */
  report(thrown: unknown, json: boolean): number;
}

export function createContext({
  terminal,
  environment,
  cwd,
  signal,
  typed = (text) => text,
}: ContextParts): RootContext {
  const redactor = createRedactor();
  const guarded = guard(terminal, redactor);
  const own = languageOf(environment);
  let language = own;
  /** Help names commands as they are called, except at its end; what is said when one runs names what is typed here. */
  let isRunning = false;
  const say: Say = (key, parameters) => createSay(language, isRunning ? typed : undefined)(key, parameters);
  let status = 0;

  function report(thrown: unknown, json: boolean): number {
    const error = asPincerError(thrown);
    if (isInterruption(thrown, signal)) return 130;
    const said = sayError(error, say);
    guarded.err(`${say("error.prefix", { message: plainText(said.message) })}\n`);
    if (said.hint) guarded.err(`${say("error.hint", { hint: plainText(said.hint) })}\n`);
    if (error.code === "internal/bug" && environment["PINCER_DEBUG"]) guarded.err(`${stackOf(error)}\n`);
    const exitStatus = error.domain === "usage" ? 2 : 1;
    if (json && exitStatus !== 2) printJson(guarded, { error: describe(error, typed) });
    return exitStatus;
  }

  return {
    terminal: guarded,
    environment,
    cwd,
    say,
    typed,
    speak: (wanted) => (language = wanted === "auto" ? own : wanted),
    signal,
    redactor,
    notify: (notice) => guarded.err(`${say("notice", { notice: plainText(notice) })}\n`),
    exitStatus: () => status,
    report,
    run:
      (action) =>
      async (...args) => {
        isRunning = true;
        try {
          status = (await action(...args)) ?? 0;
        } catch (error) {
          status = report(error, wantsJson(args));
        }
      },
  };
}

/** Secrets are taken out of whatever is printed. */
const guard = (terminal: Terminal, redactor: Redactor): Terminal => ({
  ...terminal,
  out: (text) => terminal.out(redactor.text(text)),
  err: (text) => terminal.err(redactor.text(text)),
  stream: (text, until) => terminal.stream(redactor.text(text), until),
  json: (value) => terminal.json(redactor.values(value)),
});

/** Ctrl-C, seen by us or by a prompt. */
const isInterruption = (thrown: unknown, signal: AbortSignal) =>
  (signal.aborted && thrown === signal.reason) || (thrown instanceof Error && thrown.name === "AbortError");

/** Commander hands the command itself as the last argument. */
function wantsJson(args: unknown[]): boolean {
  const command = args.at(-1) as { optsWithGlobals?: () => { json?: boolean } } | undefined;
  return command?.optsWithGlobals?.().json === true;
}

const describe = (error: PincerError, typed: (text: string) => string) => ({
  code: error.code,
  message: error.message,
  ...(error.hint ? { hint: typed(error.hint) } : {}),
});

const stackOf = (error: PincerError) =>
  (error.cause instanceof Error ? error.cause.stack : error.stack) ?? "";
