/** The beginning and the end of a long text, cut at the end of a line or at least between two visible characters. */
import { characters } from "../../infra/characters.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** The text that replaces what was left out. */
export type OmissionMark = (leftOut: number, total: number) => string;

/** Returns the text unchanged if it is no longer than both. Pure. */
export function headAndTail(
  text: string,
  { head, tail }: { head: number; tail: number },
  mark: OmissionMark,
): string {
  if (text.length <= head + tail) return text;
  const end = endOfHead(text, head);
  const begin = beginOfTail(text, text.length - tail, tail);
  const line = mark(begin - end, text.length);
  return [text.slice(0, end), line, text.slice(begin)].filter(Boolean).join("\n");
}

/** At most `limit` characters, including the mark if it fits. Pure. */
export function shortenText(text: string, limit: number, mark: OmissionMark): string {
  if (text.length <= limit) return text;
  const space = Math.max(0, limit - mark(text.length, text.length).length - 2);
  const head = Math.floor(space * headShare);
  return headAndTail(text, { head, tail: space - head }, mark);
}

/** At most `tokens`, by our count. Pure. */
export function shortenToTokens(text: string, tokens: number, mark: OmissionMark): string {
  let shown = text;
  let limit = text.length;
  for (let counted = estimateTokens(shown); counted > tokens; counted = estimateTokens(shown)) {
    limit = Math.min(limit - 1, Math.floor(((limit * tokens) / counted) * 0.95));
    const hasRoom = limit > mark(text.length, text.length).length * 2;
    shown = hasRoom ? shortenText(text, limit, mark) : text.slice(0, endOfHead(text, Math.max(0, limit)));
  }
  return shown;
}

/** 48213 as 48,213. */
export const withCommas = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** What a text says at its beginning is worth more. */
const headShare = 0.7;
/** How much of a part may be dropped to end it at a line break. */
const lineShare = 0.2;

function endOfHead(text: string, head: number): number {
  const line = text.lastIndexOf("\n", head);
  if (line > 0 && line >= head * (1 - lineShare)) return line;
  return characterAround(text, head).begin;
}

function beginOfTail(text: string, begin: number, tail: number): number {
  const line = text.indexOf("\n", begin);
  if (line >= 0 && line + 1 <= begin + tail * lineShare) return line + 1;
  const character = characterAround(text, begin);
  return character.begin === begin ? begin : character.end;
}

/** A character as people see it hardly takes more. */
const around = 64;

/** The character that the place is in; its beginning is the place itself where that lies between two. */
function characterAround(text: string, place: number): { begin: number; end: number } {
  if (place <= 0 || place >= text.length || isPlain(text, place)) return { begin: place, end: place };
  const from = Math.max(0, place - around);
  const found = characters()
    .segment(text.slice(from, place + around))
    .containing(place - from);
  if (!found) return { begin: place, end: place };
  return { begin: from + found.index, end: from + found.index + found.segment.length };
}

/** Between two ASCII characters there is always a border, but for the two of a line's end. */
const isPlain = (text: string, place: number): boolean =>
  text.charCodeAt(place) < 0x80 && text.charCodeAt(place - 1) < 0x80 && text[place] !== "\n";
