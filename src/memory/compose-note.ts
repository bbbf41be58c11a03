/** Formats a note: one line becomes a bullet, several become a paragraph. */
import { WorkdirError } from "../sandbox/workdir-opener.ts";
import { type MemoryFileLine, readMemoryLine } from "./labelled-line.ts";

const mostNoteBytes = 64 * 1024;

/** A text as it is written to a file. Throws WorkdirError for one that is empty or too long. */
export function tidyNote(text: string): string {
  const lines = text.toWellFormed().replace(lineEnds, "\n").replace(unwanted, "").trim();
  if (lines === "") throw new WorkdirError("the note is empty; say what should be remembered");
  const size = Buffer.byteLength(lines);
  if (size > mostNoteBytes)
    throw new WorkdirError(
      `the note has ${size} bytes, at most ${mostNoteBytes} fit; write less, or split it`,
    );
  return isBlock(lines) ? lines : `- ${lines}`;
}

/**
 * What to add to the current text, "" if it already has the note, and the note's line, counted from 1. An unconfirmed
 * line also matches its confirmed form; never the other way round.
 */
export function composeNote(present: string, note: string): { addition: string; line: number } {
  const text = present.replaceAll("\r\n", "\n");
  const at = findNote(text.split("\n"), note);
  if (at >= 0) return { addition: "", line: at + 1 };
  const gap = gapAfter(text, note);
  return { addition: `${gap}${note}\n`, line: lineAt(text + gap, text.length + gap.length) };
}

/** Where the lines of the note stand among these, from `start` on; -1 where they do not. */
export function findNote(lines: readonly string[], note: string, start = 0): number {
  const wanted = note.split("\n").map((line) => ({ raw: line, ...readMemoryLine(line) }));
  const stands = (at: number) => wanted.every((line, offset) => serves(lines[at + offset], line));
  for (let at = start; at + wanted.length <= lines.length; at += 1) if (stands(at)) return at;
  return -1;
}

function serves(present: string | undefined, wanted: MemoryFileLine & { raw: string }): boolean {
  if (present === undefined || present === wanted.raw) return present !== undefined;
  if (wanted.label === undefined) return false;
  const { marks, text } = readMemoryLine(present);
  return marks === wanted.marks && text === wanted.text;
}

/** Everything that any reader treats as a line end counts as one: the next line needs its own label. */
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;

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
