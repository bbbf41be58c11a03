import { createInterface } from "node:readline/promises";
import type { Terminal } from "./command.ts";

/** Asks on a terminal; elsewhere only `--yes` is a yes. */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (terminal.stdin.isTTY !== true || !terminal.errIsTerminal) return false;
  const prompt = createInterface({ input: terminal.stdin, output: process.stderr });
  try {
    return /^(y|yes|是|好)$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}
