/**
 * Pasted text in a line: on request a terminal marks its beginning and end. Its line breaks are shown as symbols and
 * do not send the line; its other control characters have no effect.
 */
import { StringDecoder } from "node:string_decoder";
import { Transform } from "node:stream";
import type { Terminal } from "./command.ts";

/** Tells a terminal to mark pastes, or to stop. */
export const markPastes = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

const begins = "\u001B[200~";
const ends = "\u001B[201~";
const lineSign = "⏎";
const tabSign = "⇥";

/** What was shown as signs, as it was pasted. */
export const unfoldPaste = (line: string): string =>
  line.replaceAll(lineSign, "\n").replaceAll(tabSign, "\t");

/** Hand each piece to it as it comes: the marks may be cut anywhere. What is typed passes as it is. */
export function createPasteFolder(): (piece: string) => string {
  let isPasting = false;
  let held = "";
  return (piece) => {
    let rest = held + piece;
    let folded = "";
    held = "";
    while (rest !== "") {
      const mark = isPasting ? ends : begins;
      const at = rest.indexOf(mark);
      const safe = at >= 0 ? at : rest.length - openEnd(rest, mark);
      folded += isPasting ? foldPaste(rest.slice(0, safe)) : rest.slice(0, safe);
      rest = rest.slice(safe);
      if (at < 0) {
        held = rest;
        break;
      }
      rest = rest.slice(mark.length);
      isPasting = !isPasting;
    }
    // A key that begins as a mark does is held for the next piece only while it is a part of one.
    if (!isPasting && held === "\u001B") {
      folded += held;
      held = "";
    }
    return folded;
  };
}

/** How much of the end may be the beginning of a mark. */
function openEnd(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

const foldPaste = (text: string): string =>
  text
    .replaceAll(/\r\n|\r|\n/g, lineSign)
    .replaceAll("\t", tabSign)
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    .replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, "");

export interface PasteReader {
  input: NodeJS.ReadableStream;
  /** Gives the terminal back. Safe to call twice. */
  close(): void;
}

/** The keys of a terminal with pastes folded. */
export function readWithPastes(stdin: Terminal["stdin"]): PasteReader {
  const decoder = new StringDecoder("utf8");
  const fold = createPasteFolder();
  const folding = new Transform({
    transform(chunk: Buffer | string, _encoding, done) {
      const text = fold(typeof chunk === "string" ? chunk : decoder.write(chunk));
      done(null, text === "" ? undefined : text);
    },
  });
  const { setRawMode } = stdin as { setRawMode?(mode: boolean): unknown };
  const input = Object.assign(folding, {
    isTTY: true,
    ...(setRawMode ? { setRawMode: (mode: boolean) => setRawMode.call(stdin, mode) } : {}),
  });
  stdin.pipe(input);
  return {
    input,
    close() {
      stdin.unpipe(input);
      stdin.pause();
    },
  };
}
