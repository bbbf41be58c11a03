/** `pincer chat`: the interactive prompt. Each line is a turn in one session; Ctrl-C stops the turn, Ctrl-D leaves. */
import { asPincerError } from "@pincer/sdk";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import type { App } from "../../app/create-app.ts";
import { usageWords } from "../../infra/usage-words.ts";
import type { CommandContext } from "../command.ts";
import { createLiveAnswer, type LiveAnswer } from "../live-answer.ts";
import { addTurnOptions, turnRequest, type TurnOptions } from "../turn-options.ts";
import { atDesk } from "./at-desk.ts";

const goodbyes = new Set([",quit", "/quit", "!quit", ",exit", "/exit", "quit", "exit"]);
const helps = new Set([",help", "/help", "!help"]);
/** Under each mark that commands have; words may follow. */
const goesOn = /^[,/!]continue(\s|$)/i;
const amounts = /^[,/!](usage|cost)(\s|$)/i;
const news = new Set([",new", "/new", "!new", ",reset", "/reset", "!reset"]);

export function register(program: Command, context: CommandContext): void {
  const { say } = context;
  const command = program.command("chat").alias("repl").description(say("chat.about"));
  addTurnOptions(command, context)
    .option("--new-session", say("ask.new-session"))
    .action(
      context.run(async (options: TurnOptions & { newSession?: boolean }) => {
        const { openApp } = await import("../../app/open-app.ts");
        const app = await openApp({ ...context, version: program.version() ?? "" }, options);
        const tellUsage = (kind: "usage" | "cost") =>
          atDesk("usage", { program, context }, async ({ desk }) => {
            const { session } = options;
            return usageWords(await desk.totals(session === undefined ? {} : { session }), kind, say);
          });
        try {
          await converse(app, context, options, tellUsage);
        } finally {
          await app.close();
        }
      }),
    );
}

async function converse(
  app: App,
  context: CommandContext,
  options: TurnOptions & { newSession?: boolean },
  tellUsage: (kind: "usage" | "cost") => Promise<string>,
): Promise<void> {
  const { terminal, say, signal } = context;
  const interactive = terminal.stdin.isTTY === true && terminal.outIsTerminal;
  let newSession = options.newSession === true;
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

  try {
    showPrompt();
    for await (const line of lines) {
      const input = line.trim();
      const meant = meantBy(input);
      if (goodbyes.has(input)) break;
      if (helps.has(input)) terminal.err(`${say("chat.help")}\n`);
      else if (news.has(input)) {
        newSession = true;
        terminal.err(`${say("routing.command.new")}\n`);
      } else if (app.isStop(input)) {
        if (!wasStopped) terminal.err(`${say("routing.nothing-runs")}\n`);
        wasStopped = false;
      } else if (amounts.test(input)) {
        const told = await tellUsage(/^.cost/i.test(input) ? "cost" : "usage").catch(
          (error: unknown) => asPincerError(error).message,
        );
        terminal.err(`${told}\n`);
      } else if (meant !== undefined) {
        terminal.err(`${say("chat.meant", { word: input, command: meant })}\n`);
      } else if (input !== "") {
        turn = new AbortController();
        live = createLiveAnswer(context, { streams: terminal.outIsTerminal, tellsTools: true });
        const answer = await app.ask({
          ...turnRequest({ ...options, newSession }),
          // The turn keeps what it was started with.
          ...(goesOn.test(input) ? { continues: true, wishes: {} } : {}),
          input,
          signal: turn.signal,
          onWait: live.onWait,
          onEvent: live.onEvent,
        });
        live.end(answer, "stdout");
        live = undefined;
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

const commandNames = ["help", "quit", "exit", "new", "reset", "stop", "continue", "usage", "cost"];

/** The command that a single word behind a mark was probably meant to be; undefined when it is one, or is for the model. */
function meantBy(input: string): string | undefined {
  const [, mark, word = ""] = /^([,/!])([a-z]+)$/i.exec(input) ?? [];
  if (mark === undefined) return undefined;
  const ranked = commandNames
    .map((name) => ({ name, slips: distance(name, word.toLowerCase()) }))
    // Two letters of three are no slip.
    .filter(({ name, slips }) => slips > 0 && slips <= (name.length > 3 ? 2 : 1))
    .sort((a, b) => a.slips - b.slips);
  const isOne = commandNames.includes(word.toLowerCase());
  return isOne || !ranked[0] ? undefined : `${mark}${ranked[0].name}`;
}
