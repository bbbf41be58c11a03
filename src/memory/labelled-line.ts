/**
 * A line of a memory file, and whether the owner vouches for it. A line learnt from strangers has a label after its
 * Markdown prefix: `- [unconfirmed, from web example.org] the office closes at six`. Removing the label, by command
 * or in an editor, confirms the line. Labels are per line: a line means the same in every place.
 *
 * A text that begins like a label gets a backslash before it, as in Markdown: no text can pass for a label, nor a
 * label for text. The comment `<!-- untrusted: telegram:42 -->` at the end of a line, as other programs write it, is
 * a label too.
 */
import type { TextProvenance } from "@pincer/sdk";
import { oneLine, shorten } from "../infra/one-line.ts";

export interface MemoryFileLine {
  /** What gives the line its shape: indent, bullet, number, quotation, heading, box. */
  marks: string;
  text: string;
  /** The source of an unconfirmed line: `web example.org`. */
  label?: string;
}

/** Of a line without its end. Any line can be read. */
export function readMemoryLine(line: string): MemoryFileLine {
  const { words, label: comment } = withoutComments(line);
  const marks = leadingMarks.exec(words)?.[0] ?? "";
  const rest = words.slice(marks.length);
  const [mark, place] = labelMark.exec(rest) ?? [];
  const text = unescaped(rest.slice(mark?.length ?? 0));
  if (mark === undefined && comment === undefined) return { marks, text };
  return { marks, text, label: mark === undefined ? placeWords(comment ?? "") : placeWords(place ?? "") };
}

/** Read again, it is what was given. A line without words says nothing, and needs no label. */
export function writeMemoryLine({ marks, text, label }: MemoryFileLine): string {
  const words = escaped(text);
  if (label === undefined || text === "") return `${marks}${words}`;
  return `${marks}[${labelWords(label)}] ${words}`;
}

export const isUnconfirmed = (line: string): boolean => readMemoryLine(line).label !== undefined;

/** A line of words as it will be in the file, be they the owner's or a stranger's. */
export function asMemoryLine(words: string, label: string | undefined): string {
  const marks = leadingMarks.exec(words)?.[0] ?? "";
  const text = words.slice(marks.length);
  return writeMemoryLine({ marks, text, ...(label === undefined ? {} : { label }) });
}

/** The words of a line, without what gives it its shape. */
export const wordsOfLine = (line: string): string =>
  line.slice(leadingMarks.exec(line)?.[0].length ?? 0).trim();

/** The label in words: `unconfirmed, from web example.org`. */
export function labelWords(label: string): string {
  const place = placeWords(label);
  return place === unknownPlace ? "unconfirmed" : `unconfirmed, from ${place}`;
}

/** Where a stranger's text comes from, as a label has it. */
export const labelFor = ({ origin, from }: Pick<TextProvenance, "origin" | "from">): string =>
  placeWords(`${origin ?? ""} ${from ?? ""}`);

const unknownPlace = "unknown";
const longestPlace = 80;

/** Nothing in it ends the label, turns the line around or begins another. */
const placeWords = (place: string): string =>
  shorten(oneLine(place.toWellFormed().replaceAll(notInPlace, " ")), longestPlace) || unknownPlace;

const notInPlace = /[[\]<>\\]|\p{Cf}/gu;

/** Each of its parts takes one look ahead, so that no line takes long. */
const leadingMarks = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|#{1,6}(?=\s)|\[[ xX]\](?=\s))*/;
const labelMark = /^\[unconfirmed(?:, from ([^\][]*))?\](?: |$)/i;

const escaped = (text: string): string =>
  text.replace(/^\\*\[unconfirmed/i, "\\$&").replaceAll(/(<!--\s*)(\\*untrusted:)/gi, "$1\\$2");

const unescaped = (text: string): string =>
  text.replace(/^\\(\\*\[unconfirmed)/i, "$1").replaceAll(/(<!--\s*)\\(\\*untrusted:)/gi, "$1$2");

/** Of several comments the last counts: what stands before it may be a stranger's. */
function withoutComments(line: string): { words: string; label: string | undefined } {
  let words = line;
  let label: string | undefined;
  for (let found = commentAtEnd(words); found; found = commentAtEnd(words)) {
    label ??= found.label;
    words = found.words;
  }
  return { words, label };
}

function commentAtEnd(line: string): { words: string; label: string } | undefined {
  const whole = line.trimEnd();
  if (!whole.endsWith("-->")) return undefined;
  const at = whole.lastIndexOf("<!--");
  const inside = at < 0 ? "" : whole.slice(at + "<!--".length, -"-->".length).trim();
  if (!/^untrusted:/i.test(inside)) return undefined;
  const label = inside.slice("untrusted:".length).trim();
  return label === "" || label.includes(">") ? undefined : { words: whole.slice(0, at).trimEnd(), label };
}
