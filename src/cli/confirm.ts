import { createInterface } from "node:readline/promises";
import type { Terminal } from "./command.ts";

/** Asks at a terminal; elsewhere only `--yes` is a yes. Throws AbortError on Ctrl-C. */
export async function confirm(
  terminal: Terminal,
  question: string,
  yes: boolean,
): Promise<"yes" | "no" | "nobody-to-ask"> {
  if (yes) return "yes";
  if (terminal.stdin.isTTY !== true || !terminal.errIsTerminal) return "nobody-to-ask";
  const prompt = createInterface({ input: terminal.stdin, output: process.stderr });
  try {
    const answer = (await prompt.question(`${question} [y/N] `)).trim();
    return /^(y|yes|是|好)$/i.test(answer) ? "yes" : "no";
  } finally {
    prompt.close();
  }
}
