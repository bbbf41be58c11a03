import * as fc from "fast-check";
import { PassThrough, Writable } from "node:stream";
import { partsOf, type MarkedText } from "@pincer/sdk";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openEditedLines } from "./edited-lines.ts";

// On a terminal that it calls dumb, readline has no arrow keys.
beforeEach(() => void vi.stubEnv("TERM", "xterm"));
afterEach(() => void vi.unstubAllEnvs());

function open() {
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const ending = new AbortController();
  const written: string[] = [];
  const edited = openEditedLines(
    { stdin: keys, write: (text) => void written.push(text), signal: ending.signal },
    { output: new Writable({ write: (_chunk, _encoding, done) => done() }), historySize: 50 },
  );
  const said: MarkedText[] = [];
  edited.lines.on("line", (line) => {
    const one = edited.said(line);
    said.push(one);
    edited.remember(one);
  });
  return {
    edited,
    said,
    written,
    end: () => ending.abort(),
    async press(text: string) {
      keys.write(text);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;
const shown = (line: MarkedText | undefined) =>
  partsOf(line ?? { text: "" })
    .map(({ text, isPasted }) => (isPasted ? `<${text}>` : text))
    .join("");

const left = "\u001B[D";
const up = "\u001B[A";
const strokes = {
  left,
  right: "\u001B[C",
  up,
  down: "\u001B[B",
  home: "\u0001",
  end: "\u0005",
  backspace: "\u007F",
  "delete a word": "\u0017",
  "kill to the end": "\u000B",
  "kill to the beginning": "\u0015",
  yank: "\u0019",
  "yank an older one": "\u001By",
  undo: "\u001F",
  redo: "\u001E",
  enter: "\r",
};

it("SEC-02 marks every pasted character of a line, whatever keys are pressed around it", async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom("a", "b", " "), minLength: 1, maxLength: 4 }) },
    // Letters that nobody types here.
    {
      weight: 2,
      arbitrary: fc.string({ unit: fc.constantFrom("Ω", "Ψ", "\n"), minLength: 1, maxLength: 4 }).map(paste),
    },
    { weight: 6, arbitrary: fc.constantFrom(...Object.values(strokes)) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { edited, said, press } = open();
      for (const each of [...steps, "\r"]) await press(each);
      const typed = said.flatMap(partsOf).filter(({ isPasted }) => !isPasted);
      for (const { text } of typed) expect(text).not.toMatch(/[ΩΨ⏎]/);
      edited.close();
    }),
    { numRuns: 150 },
  );
});

it("SEC-02 takes for typed what is typed before, behind and instead of a paste", async () => {
  const { said, press, edited } = open();
  await press(`to ${paste("ΩΨ")} now\r`);
  await press(`${paste("Ω")}\u007Fa${left}b\r`);
  await press(`${up}${up}!\r`);
  expect(said.map(shown)).toEqual(["to <ΩΨ> now", "ba", "to <ΩΨ> now!"]);
  edited.close();
});

it("SEC-02 takes for pasted what comes at once on a terminal that marks no pastes", async () => {
  const { said, press, edited } = open();
  await press("x".repeat(281));
  await press("y\r");
  expect(shown(said[0])).toBe(`<${"x".repeat(281)}>y`);
  edited.close();
});

it("gives the terminal back once, when it is closed or the work is ended", async () => {
  const modes = ["\u001B[?2004h", "\u001B[?2004l"];
  const closed = open();
  closed.edited.close();
  closed.edited.close();
  expect(closed.written).toEqual(modes);
  const ended = open();
  ended.end();
  expect(ended.written).toEqual(modes);
  ended.edited.close();
  expect(ended.written).toEqual(modes);
  expect(process.listenerCount("exit")).toBeLessThan(10);
});
