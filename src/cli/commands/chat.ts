/** `pincer chat`: the interactive prompt. Each line is a turn in one session; Ctrl-C stops the turn, Ctrl-D leaves. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import type { App } from "../../app/create-app.ts";
import type { CommandContext } from "../command.ts";
import { createLiveAnswer, type LiveAnswer } from "../live-answer.ts";
import { plainText } from "../plain-text.ts";
import { addTurnOptions, turnRequest, type TurnOptions } from "../turn-options.ts";
import {
  createChatDesks,
  isAboutSession,
  isForDesk,
  isShellLine,
  meantBy,
  readChatLine,
  unknownCommand,
  type ChatDesks,
} from "./chat-commands.ts";

const goodbyes = new Set([",quit", "/quit", "!quit", ",exit", "/exit", "quit", "exit"]);

export function register(program: Command, context: CommandContext): void {
  const { say } = context;
  const command = program.command("chat").alias("repl").description(say("chat.about"));
  addTurnOptions(command, context)
    .option("--new-session", say("ask.new-session"))
    .action(
      context.run(async (options: TurnOptions & { newSession?: boolean }) => {
        const { openApp } = await import("../../app/open-app.ts");
        const app = await openApp({ ...context, version: program.version() ?? "" }, options);
        try {
          await converse(app, context, options, createChatDesks({ program, context }));
        } finally {
          await app.close();
        }
      }),
    );
}

/** Whether the shell would find it: a word that is nearly a command may be meant as it is. */
const isProgram = (word: string, environment: CommandContext["environment"]): boolean =>
  (environment["PATH"] ?? "").split(delimiter).some((directory) => existsSync(join(directory, word)));

async function converse(
  app: App,
  context: CommandContext,
  options: TurnOptions & { newSession?: boolean },
  desks: ChatDesks,
): Promise<void> {
  const { terminal, say, signal } = context;
  const interactive = terminal.stdin.isTTY === true && terminal.outIsTerminal;
  let newSession = options.newSession === true;
  /** As the answers name it; before the first one, as the flags do. */
  let session = options.session ?? (options.agent === undefined ? undefined : `agent:${options.agent}:main`);
  let turn: AbortController | undefined;
  let wasStopped = false;
  if (interactive) terminal.err(`${say("chat.welcome", { workdir: app.workdir })}\n`);

  let showPrompt = () => {};
  let live: LiveAnswer | undefined;
  const stopWatching = await app.watchConfig((message) => {
    if (live) return live.note(message);
    // Does not mix with what is being typed: the message takes the line, the prompt comes back below it.
    terminal.err(interactive ? `\r\u001B[K${message}\n` : `${message}\n`);
    showPrompt();
  });
  // From here to the loop nothing may wait: a line that comes before someone listens is lost.
  const lines = createInterface({
    input: terminal.stdin,
    ...(interactive ? { output: process.stdout, prompt: "› " } : {}),
  });
  if (interactive) showPrompt = () => lines.prompt(true);
  // In a terminal Ctrl-C arrives at readline: it stops the turn, else clears what was typed, else leaves.
  lines.on("SIGINT", () => {
    if (turn) turn.abort(new Error("interrupted"));
    else if (lines.line) lines.write(null, { ctrl: true, name: "u" });
    else lines.close();
  });
  // A word that stops works while the answer is on its way; the lines behind it wait, this one must not.
  lines.on("line", (line) => {
    if (turn && app.isStop(line)) turn.abort(new Error("stopped"));
  });
  const leave = () => {
    turn?.abort(signal.reason);
    lines.close();
  };
  signal.addEventListener("abort", leave, { once: true });

  async function tellRule(input: string): Promise<boolean> {
    const told = await desks.rule(input);
    if (told !== undefined) terminal.err(`${plainText(told)}\n`);
    return told !== undefined;
  }

  try {
    showPrompt();
    for await (const line of lines) {
      const input = line.trim();
      const meant = meantBy(input, (word) => isProgram(word, context.environment));
      const command = readChatLine(input);
      if (goodbyes.has(input)) break;
      const begins = command?.name === "new" || command?.name === "reset";
      const unknown = unknownCommand(input);
      // What stands behind the command is the first message of the new session.
      const asked = begins ? command.words : input;
      newSession ||= begins;
      if (command?.name === "help") terminal.err(`${say("chat.help")}\n${say("chat.help.context")}\n`);
      else if (begins && asked === "") {
        terminal.err(`${say("routing.command.new")}\n`);
      } else if (app.isStop(input)) {
        if (!wasStopped) terminal.err(`${say("routing.nothing-runs")}\n`);
        wasStopped = false;
      } else if (command && isForDesk(command)) {
        const isEmpty = newSession && isAboutSession(command.name);
        const told = isEmpty ? say("tape.empty") : await desks.answer(command, session);
        terminal.err(`${plainText(told)}\n`);
      } else if (meant !== undefined) {
        terminal.err(`${say("chat.meant", { word: input, command: meant })}\n`);
      } else if (unknown !== undefined) {
        terminal.err(`${say("routing.command.unknown", unknown)}\n`);
      } else if (asked !== "" && !(await tellRule(asked))) {
        turn = new AbortController();
        live = createLiveAnswer(context, { streams: terminal.outIsTerminal, tellsTools: true });
        const request = turnRequest({ ...options, newSession });
        if (isShellLine(asked)) request.wishes.shellLine = context.redactor.text(asked);
        const answer = await app.ask({
          ...request,
          ...(command?.name === "compact"
            ? { wishes: { ...request.wishes, compact: command.words ? { instructions: command.words } : {} } }
            : {}),
          // The turn keeps what it was started with.
          ...(command?.name === "continue" ? { continues: true, wishes: {} } : {}),
          input: asked,
          signal: turn.signal,
          onWait: live.onWait,
          onEvent: live.onEvent,
        });
        live.end(answer, "stdout");
        live = undefined;
        if (answer.sessionId !== "") session = answer.sessionKey;
        wasStopped = turn.signal.aborted;
        turn = undefined;
        newSession = false;
      }
      showPrompt();
    }
  } finally {
    live?.close();
    signal.removeEventListener("abort", leave);
    await stopWatching();
    lines.close();
    if (interactive) terminal.err(`\n${say("chat.goodbye")}\n`);
  }
}
