import { describe, expect, it } from "vitest";
import { startThreadTimer } from "../../infra/testing/thread-timer.ts";
import { readCommand } from "./read-command.ts";

async function millisecondsFor(work: () => Promise<unknown>): Promise<number> {
  const took = startThreadTimer();
  await work();
  return took();
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
