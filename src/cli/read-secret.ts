/** Reads a secret value: piped in, or typed without an echo. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { CommandContext } from "./command.ts";
import { readAll } from "./read-input.ts";

/** Asks with `prompt` on a terminal, else reads stdin to its end. Throws AbortError on Ctrl-C, and as `readAll`. */
export async function readSecret(
  { terminal, signal }: Pick<CommandContext, "terminal" | "signal">,
  prompt: string,
): Promise<string> {
  const { stdin } = terminal;
  if (stdin.isTTY !== true) return (await readAll(stdin, signal)).replace(/\r?\n$/, "");
  terminal.err(prompt);
  // Readline echoes what is typed to its output, and this one keeps silent.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await line.question("", { signal });
  } finally {
    line.close();
    terminal.err("\n");
  }
}
