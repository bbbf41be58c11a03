/**
 * Questions at a terminal, one after the other. The prompt library is loaded with the first; everything is on stderr,
 * so that stdout stays for results.
 */
import type { Readable } from "node:stream";
import type { CommandContext } from "./command.ts";
import { plainText } from "./plain-text.ts";
import { createProgressLine } from "./progress-line.ts";

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
}

/** Each throws an AbortError if the person stops (Ctrl-C, Escape): then nothing was answered. */
export interface Questions {
  /** Says where it begins. */
  begin(title: string): void;
  choose<Value extends string>(
    question: string,
    choices: Array<Choice<Value>>,
    usual?: Value,
  ): Promise<Value>;
  /** `usual` is the answer of an empty line; without one, something has to be written. */
  write(question: string, usual?: string): Promise<string>;
  /** What is typed is not shown. */
  hide(question: string): Promise<string>;
  isWanted(question: string, usual: boolean): Promise<boolean>;
  good(line: string): void;
  bad(line: string): void;
  tell(text: string): void;
  /** A sign of life on one line while it works. */
  during<Result>(line: string, work: () => Promise<Result>): Promise<Result>;
  end(line: string): void;
}

/** Undefined without a terminal. */
export async function openQuestions({
  terminal,
  say,
  signal,
}: Pick<CommandContext, "terminal" | "say" | "signal">): Promise<Questions | undefined> {
  if (terminal.stdin.isTTY !== true || !terminal.errIsTerminal) return undefined;
  const clack = await import("@clack/prompts");
  const at = { input: terminal.stdin as Readable, output: process.stderr, signal };

  async function answered<Answer>(asked: Promise<Answer>): Promise<Exclude<Answer, symbol>> {
    const answer = await asked;
    if (clack.isCancel(answer)) throw new DOMException("stopped", "AbortError");
    return answer as Exclude<Answer, symbol>;
  }

  /** Long lines are broken here, so that none of them breaks out of the frame. */
  const framed = (text: string) =>
    wrap(plainText(text), (terminal.width?.() ?? process.stderr.columns ?? 80) - 4);

  const progress = createProgressLine(terminal);
  return {
    begin: (title) => clack.intro(plainText(title), at),
    choose: (question, choices, usual) =>
      answered(
        clack.select<string>({
          ...at,
          message: plainText(question),
          options: choices.map(({ value, label, hint }) => ({
            value,
            label: plainText(label),
            ...(hint ? { hint: plainText(hint) } : {}),
          })),
          maxItems: 12,
          showInstructions: false,
          ...(usual === undefined ? {} : { initialValue: usual }),
        }),
      ) as Promise<never>,
    async write(question, usual) {
      const text = await answered(
        clack.text({
          ...at,
          message: plainText(question),
          ...(usual === undefined ? {} : { placeholder: usual, defaultValue: usual }),
          validate: (given) =>
            usual === undefined && (given ?? "").trim() === "" ? say("onboard.write-something") : undefined,
        }),
      );
      return text.trim() || (usual ?? "");
    },
    hide: (question) =>
      answered(
        clack.password({
          ...at,
          message: plainText(question),
          validate: (given) => ((given ?? "").trim() === "" ? say("onboard.write-something") : undefined),
        }),
      ),
    isWanted: (question, usual) =>
      answered(
        clack.confirm({
          ...at,
          message: plainText(question),
          initialValue: usual,
          active: say("onboard.yes"),
          inactive: say("onboard.no"),
        }),
      ),
    good: (line) => clack.log.success(framed(line), at),
    bad: (line) => clack.log.error(framed(line), at),
    tell: (text) => clack.log.message(framed(text), at),
    async during(line, work) {
      progress.show(`   ${plainText(line)}`);
      try {
        return await work();
      } finally {
        progress.clear();
      }
    },
    end: (line) => clack.outro(plainText(line), at),
  };
}

/**
 * Wraps between words at `width`; a wider word stays whole. Chinese breaks between any two characters, but not before
 * closing punctuation.
 */
export function wrap(text: string, width: number): string {
  const broken = text.split("\n").map((line) => {
    const rows: string[] = [];
    for (const [piece = "", space = "", word = ""] of line.matchAll(pieces)) {
      const row = rows.at(-1);
      if (row !== undefined && cells(row + piece) <= width) rows[rows.length - 1] = row + piece;
      else rows.push(row === undefined ? space + word : word);
    }
    return rows.join("\n");
  });
  return broken.join("\n");
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
/** What stays together, with the space before it: one wide sign and the marks that end it, or a run of others. */
const pieces =
  /( *)((?:[\u2e80-\u2fff\u3003-\u3007\u3021-\ua4cf\uac00-\ud7a3\uf900-\ufaff]|[^ \u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+|[\u3000-\u3020\uff00-\uff60])[\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015\uff01\uff09\uff0c\uff1a\uff1b\uff1f”’]*)/gu;

/** How many cells of a terminal a text takes: wide signs take two. */
const cells = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
