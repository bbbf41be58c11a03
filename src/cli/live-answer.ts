/**
 * An answer at a terminal: its text as it arrives, a progress sign until then, and at the end whatever is missing. If
 * stdout is no terminal, the whole answer is written once at the end.
 */
import type { AskRequest } from "../app/ask.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import type { CommandContext } from "./command.ts";
import { plainText } from "./plain-text.ts";
import { createProgressLine } from "./progress-line.ts";
import { beyond, createWordHolder } from "./word-holder.ts";

export interface LiveAnswer {
  onEvent: NonNullable<AskRequest["onEvent"]>;
  /** The answer has to wait, and may start over afterwards. */
  onWait: NonNullable<AskRequest["onWait"]>;
  /** Says something else meanwhile, on a line of its own on stderr. */
  note(text: string): void;
  /** Hides the progress sign during a question; `goOn` brings it back. Both are safe to call twice. */
  hold(): void;
  goOn(): void;
  /** Says what is not there yet; `by-outcome`: that of a failure on stderr. */
  end(answer: { result: string; error?: unknown }, where: "stdout" | "by-outcome"): void;
  /** No sign of life comes any more. Safe to call twice. */
  close(): void;
}

export interface LiveAnswerSettings {
  /** Words go to stdout as they arrive. */
  streams: boolean;
  tellsTools: boolean;
}

const signEveryMs = 1000;
const quietMs = 2000;

export function createLiveAnswer(
  { terminal, say, redactor }: Pick<CommandContext, "terminal" | "say" | "redactor">,
  { streams, tellsTools }: LiveAnswerSettings,
  clock: Clock = systemClock,
): LiveAnswer {
  const progress = createProgressLine(terminal);
  const over = new AbortController();
  let lastSign = clock.monotonic();
  let isHeld = false;
  /** Whose line on the screen is not at its end yet. */
  let unfinished: "words" | "thoughts" | undefined;
  /** The words since the last tool call, as they came. */
  let shown = "";
  const words = createWordHolder((text) => {
    // An answer that begins with blank lines begins with its first words.
    show("words", shown.trim() === "" ? text.replace(/^[\r\n]+/, "") : text);
    shown += text;
  });
  const thoughts = createWordHolder((text) => show("thoughts", text));
  void showLife();

  function show(kind: "words" | "thoughts", text: string): void {
    if (text === "") return;
    lastSign = clock.monotonic();
    progress.clear();
    if (unfinished !== kind) endLine();
    if (kind === "words") terminal.out(plainText(text));
    else terminal.err(`\u001B[2m${plainText(text)}\u001B[22m`);
    unfinished = text.endsWith("\n") ? undefined : kind;
  }

  function endLine(): void {
    progress.clear();
    if (unfinished === "words") terminal.out("\n");
    if (unfinished === "thoughts") terminal.err("\n");
    unfinished = undefined;
  }

  /** What comes next is another text. */
  function endText(): void {
    words.flush();
    thoughts.flush();
    endLine();
    shown = "";
  }

  function note(text: string): void {
    words.flush();
    thoughts.flush();
    endLine();
    terminal.err(`${text}\n`);
  }

  async function showLife(): Promise<void> {
    const since = clock.monotonic();
    try {
      for (;;) {
        await clock.sleep(signEveryMs, over.signal);
        // In the middle of a line it would take away the words on it.
        if (isHeld || unfinished || clock.monotonic() - lastSign < quietMs) continue;
        progress.show(say("turn.working", { seconds: Math.floor((clock.monotonic() - since) / 1000) }));
      }
    } catch {
      // It is over.
    }
  }

  return {
    note,
    hold() {
      isHeld = true;
    },
    goOn() {
      isHeld = false;
      lastSign = clock.monotonic();
    },
    onEvent(event) {
      if (event.type === "tool-call-start") {
        if (streams) endText();
        if (tellsTools) note(plainText(`  · ${event.call.name} ${gistOf(event.call.arguments)}`.trimEnd()));
      }
      if (!streams) return;
      if (event.type === "text-delta") {
        thoughts.flush();
        words.push(event.text);
      } else if (event.type === "thinking-delta" && terminal.errIsTerminal) {
        words.flush();
        thoughts.push(event.text);
      } else if (event.type === "start-over") {
        const hadWords = shown.trim() !== "";
        endText();
        if (hadWords) note(say("turn.starts-over"));
      }
    },
    onWait(message) {
      endText();
      note(plainText(message));
    },
    end({ result, error }, where) {
      words.flush();
      thoughts.flush();
      over.abort();
      progress.clear();
      const isFailure = where === "by-outcome" && error !== undefined;
      const write = isFailure ? terminal.err : terminal.out;
      const rest = shown.trim() === "" ? undefined : beyond(redactor.text(shown), result);
      if (rest === undefined) {
        endLine();
        write(`${plainText(result)}\n`);
      } else if (rest.trim() === "") {
        endLine();
      } else if (isFailure) {
        endLine();
        write(`${plainText(rest.trimStart())}\n`);
      } else {
        if (unfinished === "thoughts") endLine();
        write(`${plainText(rest)}\n`);
      }
    },
    close() {
      over.abort();
      progress.clear();
    },
  };
}

const mostOfCall = 70;

/** What a call is about, in a few words of one line: the first text among its arguments. */
function gistOf(given: unknown): string {
  const values = typeof given === "object" && given !== null ? Object.values(given) : [];
  const text = values.find((value): value is string => typeof value === "string") ?? "";
  const line = text.replaceAll(/\s+/g, " ").trim();
  return [...line].length > mostOfCall ? `${[...line].slice(0, mostOfCall).join("")}…` : line;
}
