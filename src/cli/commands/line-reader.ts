/** Reads lines typed at a terminal while a command is busy: opened for a question, closed afterwards. */
import type { Spoken } from "@pincer/sdk";
import { Writable } from "node:stream";
import type { CommandContext } from "../command.ts";
import { openEditedLines, type EditedLines } from "../edited-lines.ts";
import type { LineReader } from "./approval-prompt.ts";

/** Undefined without a terminal. Input typed before the question was shown is no answer. */
export function createLineReader(
  { terminal, signal }: Pick<CommandContext, "terminal" | "signal">,
  heard: { line(said: Spoken): void; interrupt(): void },
): LineReader | undefined {
  if (terminal.stdin.isTTY !== true || !terminal.errIsTerminal) return undefined;
  let edited: EditedLines | undefined;

  function listen(): EditedLines {
    const output = new Writable({
      write(chunk, _encoding, done) {
        terminal.err(String(chunk));
        done();
      },
    });
    const opened = openEditedLines({ stdin: terminal.stdin, write: terminal.err, signal }, { output });
    const { lines } = opened;
    lines.on("line", (line) => heard.line(opened.said(line)));
    lines.on("SIGINT", heard.interrupt);
    // Ctrl-D, or the terminal is gone: leaving is not a yes.
    lines.on("close", () => {
      if (edited !== opened) return;
      edited = undefined;
      opened.close();
      heard.interrupt();
    });
    return opened;
  }

  return {
    open(question) {
      edited ??= listen();
      edited.lines.setPrompt(question);
      edited.lines.prompt();
    },
    clear: () => terminal.err("\r\u001B[K"),
    showAgain: () => edited?.lines.prompt(true),
    close() {
      const closing = edited;
      edited = undefined;
      closing?.close();
    },
  };
}
