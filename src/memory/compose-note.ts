/** How a note is written down: one line becomes a bullet, several become a paragraph of their own. */
import { WorkdirError } from "../sandbox/workdir-opener.ts";

const mostNoteBytes = 64 * 1024;

/** A text as it is written to a file. Throws WorkdirError for one that is empty or too long. */
export function tidyNote(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?/g, "\n").replace(unwanted, "").trim();
  if (lines === "") throw new WorkdirError("the note is empty; say what should be remembered");
  const size = Buffer.byteLength(lines);
  if (size > mostNoteBytes)
    throw new WorkdirError(
      `the note has ${size} bytes, at most ${mostNoteBytes} fit; write less, or split it`,
    );
  return isBlock(lines) ? lines : `- ${lines}`;
}

/** What to add to the present text, "" where it has the note already, and the line on which the note is then found, counted from 1. */
export function composeNote(present: string, note: string): { addition: string; line: number } {
  const text = present.replaceAll("\r\n", "\n");
  const at = `\n${text}\n`.indexOf(`\n${note}\n`);
  if (at >= 0) return { addition: "", line: lineAt(text, at) };
  const gap = gapAfter(text, note);
  return { addition: `${gap}${note}\n`, line: lineAt(text + gap, text.length + gap.length) };
}

/** Control characters would make the file one that is no text. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;

/** Several lines, or one that is a list item, a heading or a quotation already. */
const isBlock = (note: string) => note.includes("\n") || /^(?:[-*+]|\d+[.)]|#{1,6}|>) /.test(note);

function gapAfter(text: string, note: string): string {
  if (text === "") return "";
  const end = text.endsWith("\n") ? "" : "\n";
  // Without an empty line a paragraph would go on with the item before it.
  const isApart = !note.includes("\n") || `${text}${end}`.endsWith("\n\n");
  return isApart ? end : `${end}\n`;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;
