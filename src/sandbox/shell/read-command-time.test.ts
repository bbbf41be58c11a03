import { describe, expect, it } from "vitest";
import { readCommand } from "./read-command.ts";

/** Of this thread alone: what else the machine does is not counted. */
async function millisecondsFor(work: () => Promise<unknown>): Promise<number> {
  const started = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1000;
}

describe("reading a long command", () => {
  it.each<[string, string]>([
    ["words", "a b "],
    ["lines", "ls -l\n"],
    ["commands", "a;"],
    ["pipes", "a|"],
    ["sums", "$((1+1)) "],
    ["old sums", "$["],
    ["open parentheses", "("],
    ["open substitutions", "$("],
    ["open substitutions of files", "<(a "],
    ["open braces", "{a,"],
    ["quotes", "'\""],
    ["backquotes", "`"],
    ["here-documents", "cat <<E\n"],
    ["here-documents in a line", "<<E;"],
    ["cases", "case a in a) b;; esac;"],
    ["parameters", "${a:-"],
    ["parameters in lines", "${\n"],
    ["quoted substitutions", '"$('],
    ["wrappers", "env "],
    ["shells", "sh -c "],
    ["evals", "eval eval "],
    ["finds", "find -exec "],
  ])("of %s holds the thread for a moment only", async (_, part) => {
    for (const length of [3000, 15_900, 250_000]) {
      const text = part.repeat(length / part.length);
      for (const given of [text, `echo ${text}`, `eval '${text}'`])
        expect(await millisecondsFor(() => readCommand(given))).toBeLessThan(120);
    }
  });
});
