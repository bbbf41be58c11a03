/** Reads lines typed at a terminal while a command is busy: opened for a question, closed afterwards. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { CommandContext } from "../command.ts";
import type { LineReader } from "./approval-prompt.ts";

/** Undefined without a terminal. Input typed before the question was shown is no answer. */
export function createLineReader(
  { terminal }: Pick<CommandContext, "terminal">,
  heard: { line(text: string): void; interrupt(): void },
): LineReader | undefined {
  if (terminal.stdin.isTTY !== true || !terminal.errIsTerminal) return undefined;
  let lines: Interface | undefined;

  function listen(): Interface {
    const output = new Writable({
      write(chunk, _encoding, done) {
        terminal.err(String(chunk));
        done();
      },
    });
    const opened = createInterface({ input: terminal.stdin, output, terminal: true });
    opened.on("line", heard.line);
    opened.on("SIGINT", heard.interrupt);
    // Ctrl-D, or the terminal is gone: leaving is not a yes.
    opened.on("close", () => {
      if (lines !== opened) return;
      lines = undefined;
      heard.interrupt();
    });
    return opened;
  }

  return {
    open(question) {
      lines ??= listen();
      lines.setPrompt(question);
      lines.prompt();
    },
    clear: () => terminal.err("\r\u001B[K"),
    showAgain: () => lines?.prompt(true),
    close() {
      const closing = lines;
      lines = undefined;
      closing?.close();
    },
  };
}
