/**
 * Pasted text in a line: on request a terminal marks its beginning and end. Its line breaks are shown as symbols and
 * do not send the line; its other control characters have no effect.
 */

/** Tells a terminal to mark pastes, or to stop. */
export const markPastes = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

const begins = "\u001B[200~";
const ends = "\u001B[201~";
const lineSign = "⏎";
const tabSign = "⇥";

/** What was shown as signs, as it was pasted: character for character. */
export const unfoldPaste = (line: string): string =>
  line.replaceAll(lineSign, "\n").replaceAll(tabSign, "\t");

export interface KeysPiece {
  text: string;
  isPasted: boolean;
}

/** Hand each piece of what a terminal sends to it as it comes: the marks may be cut anywhere. What is typed passes as it is. */
export function createPasteFolder(): (piece: string) => KeysPiece[] {
  let isPasting = false;
  let held = "";
  return (piece) => {
    let rest = held + piece;
    const pieces: KeysPiece[] = [];
    const add = (text: string) => {
      const folded = isPasting ? foldPaste(text) : text;
      if (folded !== "") pieces.push({ text: folded, isPasted: isPasting });
    };
    held = "";
    while (rest !== "") {
      const mark = isPasting ? ends : begins;
      const at = rest.indexOf(mark);
      const safe = at >= 0 ? at : rest.length - openEnd(rest, mark);
      add(rest.slice(0, safe));
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
      add(held);
      held = "";
    }
    return pieces;
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
