/** `pincer chat`: the interactive prompt. Each line is a turn in one session; Ctrl-C stops the turn, Ctrl-D leaves. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { joinedSpoken, slicedSpoken, trimmedSpoken, typedAlone, wholeOf, type Spoken } from "@pincer/sdk";
import type { Command } from "commander";
import { completeTerminalLine, readTerminalLine } from "../../routing/commands/terminal-commands.ts";
import type { App } from "../../app/create-app.ts";
import { isHangUp } from "../catch-signals.ts";
import { mostLines, openChatHistory } from "../chat-history.ts";
import type { CommandContext } from "../command.ts";
import { openEditedLines } from "../edited-lines.ts";
import { closingWords } from "../closing-words.ts";
import { createLiveAnswer, type LiveAnswer } from "../live-answer.ts";
import { unfoldPaste } from "../pasted-text.ts";
import { plainText } from "../plain-text.ts";
import {
  answerByApi,
  createApprovalPrompt,
  releaseByApi,
  type ApprovalPrompt,
  type LetGo,
  type LineReader,
} from "./approval-prompt.ts";
import { markSeen } from "./mark-seen.ts";
import { addTurnOptions, turnRequest, type TurnOptions } from "../turn-options.ts";
import { isAboutSession, isForSession, meantBy, showContext } from "./chat-commands.ts";

const usualPrompt = "› ";
const furtherPrompt = "… ";
/** A line that ends with a backslash has another one behind it. */
const goesOn = (line: string): boolean => /(^|[^\\])\\$/.test(line);
const nothingSaid: Spoken = { text: "", pasted: [] };
const furtherLine: Spoken = { text: "\n", pasted: [] };
const goodbyes = new Set(["quit", "exit"]);

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
          const place = { program, context };
          await converse(app, context, options, {
            context: (session) => showContext(place, session),
            answerApproval: answerByApi(place),
            letGo: releaseByApi(place),
            seen: (answer) => markSeen(answer, place),
          });
        } finally {
          await app.close();
        }
      }),
    );
}

/** Whether the shell would find it: a word that is nearly a command may be meant as it is. */
const isProgram = (word: string, environment: CommandContext["environment"]): boolean =>
  (environment["PATH"] ?? "").split(delimiter).some((directory) => existsSync(join(directory, word)));

/** With Tab: one that fits is written out, several are shown. */
function complete(line: string): [string[], string] {
  const fitting = completeTerminalLine(line);
  return [fitting.length === 1 ? fitting.map((each) => `${each} `) : fitting, line];
}

interface ChatApis {
  context(session: string | undefined): Promise<string>;
  answerApproval: ReturnType<typeof answerByApi>;
  letGo: LetGo;
  seen(answer: Parameters<typeof markSeen>[0]): Promise<void>;
}

async function converse(
  app: App,
  context: CommandContext,
  options: TurnOptions & { newSession?: boolean },
  apis: ChatApis,
): Promise<void> {
  const { terminal, say, signal } = context;
  // What comes through a pipe may be anybody's words: commands are heard where somebody types.
  const typed = terminal.stdin.isTTY === true;
  const interactive = typed && terminal.outIsTerminal;
  const history = interactive ? await openChatHistory(context) : undefined;
  let newSession = options.newSession === true;
  /** As the answers name it; before the first one, as the flags do. */
  let session = options.session ?? (options.agent === undefined ? undefined : `agent:${options.agent}:main`);
  let turn: AbortController | undefined;
  let isLeaving = false;
  if (interactive) terminal.err(`${say("chat.welcome", { workdir: app.workdir })}\n`);

  let showPrompt = () => {};
  let live: LiveAnswer | undefined;
  let approvals: ApprovalPrompt | undefined;
  /** Of the lines that were typed, those that answered a question. */
  const answers = new Set<number>();
  let heard = 0;
  /** A stop takes along what waits: the lines up to this one. */
  let dropped = 0;
  const stopWatching = await app.watchConfig((message) => {
    const shown = live;
    if (shown && approvals) return approvals.aside(() => shown.note(message));
    // Does not mix with what is being typed: the message takes the line, the prompt comes back below it.
    terminal.err(interactive ? `\r\u001B[K${message}\n` : `${message}\n`);
    showPrompt();
  });
  // From here to the loop nothing may wait: a line that comes before someone listens is lost.
  const edited = interactive
    ? openEditedLines(
        { stdin: terminal.stdin, write: terminal.out, signal },
        {
          output: terminal.screen ?? process.stdout,
          prompt: usualPrompt,
          history: history?.lines.map(({ text }) => text) ?? [],
          historySize: mostLines,
          removeHistoryDuplicates: true,
          completer: complete,
        },
      )
    : undefined;
  for (const line of history?.lines ?? []) edited?.remember(line);
  const lines = edited?.lines ?? createInterface({ input: terminal.stdin });
  /** Of one that was not edited here, all or nothing is known. */
  const saidIn = (line: string): Spoken =>
    edited?.said(line) ?? { text: line, pasted: typed ? undefined : wholeOf(line) };
  /** Those that were told and wait. */
  const told: Spoken[] = [];
  let isQuestionOpen = false;
  lines.on("history", (kept: string[]) => {
    // An answer to a question is none that anybody wants to give again.
    if (isQuestionOpen) kept.shift();
    else if (edited) history?.keep(kept, edited.said(kept[0] ?? ""));
  });
  let isClosed = false;
  const left = Promise.withResolvers<void>();
  if (interactive) showPrompt = () => void (isClosed || lines.prompt(true));
  // Ctrl-D, or the terminal is gone: leaving is not an answer.
  lines.on("close", () => {
    isClosed = true;
    const open = approvals?.abandon() ?? [];
    if (open.length > 0) void leaveTurn(open);
  });
  // In a terminal Ctrl-C arrives at readline: it stops the turn, else clears what was typed, else leaves.
  lines.on("SIGINT", () => {
    if (approvals?.refuse()) return;
    if (turn) turn.abort(new Error("interrupted"));
    else if (lines.line) lines.write(null, { ctrl: true, name: "u" });
    else lines.close();
  });
  // A word that stops works while the answer is on its way; the lines behind it wait, this one must not.
  lines.on("line", (line) => {
    heard += 1;
    const said = saidIn(line);
    told.push(said);
    if (edited) edited.remember(edited.said(line));
    if (typed && turn && app.isStop(typedAlone(said))) {
      turn.abort(new Error("stopped"));
      dropped = heard;
    } else if (approvals?.take(said)) answers.add(heard);
  });
  const reader: LineReader | undefined = interactive
    ? {
        open(question) {
          live?.hold();
          if (isClosed) return void leaveTurn(approvals?.abandon() ?? []);
          isQuestionOpen = true;
          // What was being typed was meant for something else.
          lines.write(null, { ctrl: true, name: "u" });
          lines.setPrompt(question);
          lines.prompt();
        },
        clear: () => terminal.err("\r\u001B[K"),
        showAgain: () => showPrompt(),
        close() {
          isQuestionOpen = false;
          lines.setPrompt(usualPrompt);
          live?.goOn();
        },
      }
    : undefined;
  const leave = () => {
    if (turn && isHangUp(signal.reason)) void leaveTurn(approvals?.abandon() ?? []);
    else turn?.abort(signal.reason);
    lines.close();
  };
  signal.addEventListener("abort", leave, { once: true });

  /** A turn in the gateway goes on without us; one of this process ends with it. */
  async function leaveTurn(open: readonly string[]): Promise<void> {
    isLeaving = true;
    const { goesOn, words } = await apis.letGo(open);
    for (const each of words) live?.note(plainText(each));
    if (goesOn) left.resolve();
    else turn?.abort(new Error("left"));
  }

  /** Says something in the session, and shows what comes of it. False when the chat is over. */
  async function converseOnce({ text: input, pasted }: Spoken): Promise<boolean> {
    turn = new AbortController();
    live = createLiveAnswer(context, { streams: terminal.outIsTerminal, tellsTools: true });
    const { onEvent, onWait, note } = live;
    const asking = createApprovalPrompt({ say, note, onEvent, reader, answer: apis.answerApproval });
    approvals = asking;
    const request = turnRequest({ ...options, newSession });
    request.wishes.attended = interactive ? "wait" : "once";
    const answering = app.ask({
      ...request,
      input,
      typed,
      ...(pasted ? { pasted } : {}),
      signal: turn.signal,
      onWait: (message) => asking.aside(() => onWait(message)),
      onEvent: asking.onEvent,
    });
    const answer = await Promise.race([answering, left.promise]);
    if (!answer) {
      // Only then is what waits for the answer let go: over a line that is cut, the gateway is not told to stop.
      const closing = app.close();
      turn.abort(new Error("left"));
      await Promise.all([closing, answering]);
    }
    await asking.close();
    approvals = undefined;
    if (!answer || isLeaving) return false;
    // What a turn came to, such as that of /compact, is the answer; what needed none is said aside.
    if (answer.route === "command" && answer.sessionId === "") {
      live.close();
      terminal.err(`${plainText(answer.result)}\n`);
    } else {
      live.end(answer, "stdout");
      const { result, aside, isDiffShown } = closingWords(answer, say);
      if (result !== "") terminal.out(plainText(result));
      if (aside !== "") terminal.err(plainText(aside));
      if (isDiffShown && terminal.errIsTerminal) await apis.seen(answer);
      if (answer.sessionId !== "") session = answer.sessionKey;
      newSession = false;
    }
    live = undefined;
    turn = undefined;
    return true;
  }

  try {
    showPrompt();
    let read = 0;
    let begun: Spoken = nothingSaid;
    for await (const line of lines) {
      read += 1;
      const said = told.shift() ?? saidIn(line);
      if (answers.delete(read)) continue;
      if (read <= dropped) {
        begun = nothingSaid;
        if (read < dropped && line.trim() !== "")
          terminal.err(`${plainText(say("chat.dropped", { line: unfoldPaste(line) }))}\n`);
        else showPrompt();
        continue;
      }
      const unfolded = interactive ? { ...said, text: unfoldPaste(line) } : said;
      if (interactive && goesOn(line)) {
        begun = joinedSpoken([begun, slicedSpoken(unfolded, 0, line.length - 1), furtherLine]);
        lines.setPrompt(furtherPrompt);
        showPrompt();
        continue;
      }
      const spoken = trimmedSpoken(joinedSpoken([begun, unfolded]));
      const input = typed ? typedAlone(spoken) : spoken.text;
      begun = nothingSaid;
      lines.setPrompt(usualPrompt);
      const command = typed ? readTerminalLine(input) : undefined;
      if (goodbyes.has(input) || command?.name === "quit") break;
      const meant = typed ? meantBy(input, (word) => isProgram(word, context.environment)) : undefined;
      if (spoken.text === "") {
        // Nothing was said.
      } else if (meant !== undefined) {
        const unknown = say("routing.command.unknown", { name: input, prefix: input.slice(0, 1) });
        terminal.err(`${unknown}${say("command.nearest", { command: meant })}\n`);
      } else if (command?.name === "context") {
        terminal.err(`${plainText(await apis.context(session))}\n`);
      } else if (newSession && command && isAboutSession(command.name)) {
        terminal.err(`${say("tape.empty")}\n`);
      } else {
        if (command?.name === "new" || command?.name === "reset") newSession = false;
        // What is set for the session is meant for the one that is about to begin.
        if (newSession && command && isForSession(command.name)) {
          newSession = false;
          if (!(await converseOnce({ text: "/new", pasted: [] }))) break;
        }
        if (typed && !command && readTerminalLine(spoken.text))
          terminal.err(`${say("chat.pasted-command")}\n`);
        if (!(await converseOnce(spoken))) break;
        if (command?.name === "help" && command.words === "") terminal.err(`\n${say("chat.help")}\n`);
      }
      showPrompt();
    }
  } finally {
    live?.close();
    signal.removeEventListener("abort", leave);
    await stopWatching();
    lines.close();
    edited?.close();
    await history?.settled();
    if (interactive) terminal.err(`\n${say("chat.goodbye")}\n`);
  }
}
