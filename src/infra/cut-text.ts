/** Cuts texts at a number of UTF-16 units, but never through a character as people see it: an emoji, a flag, a letter with its accents. */
import { characters } from "./characters.ts";

/** Where a text may be cut, at `at` or as little before it as can be. */
export function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (at <= 0) return 0;
  const whole = characterAt(text, at).start;
  return at - whole <= longestCharacter ? whole : at - splitsPair(text, at);
}

/** Where a text may be cut, at `at` or as little after it as can be. */
export function cutAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (at <= 0) return 0;
  const { start, end } = characterAt(text, at);
  if (start === at) return at;
  return end - at <= longestCharacter ? end : at + splitsPair(text, at);
}

/** The beginning of a text. */
export const firstPart = (text: string, maxChars: number): string => text.slice(0, cutBefore(text, maxChars));

/** The end of a text; it begins with a line where that costs less than half of it. */
export function lastPart(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = cutAfter(text, text.length - maxChars);
  if (text[start - 1] === "\n") return text.slice(start);
  const line = text.indexOf("\n", start) + 1;
  return text.slice(line > 0 && line - start < maxChars / 2 ? line : start);
}

/** Marks heaped on one letter without end are no character that anybody reads: then only pairs stay together. */
const longestCharacter = 64;

/** Far more than any character needs to be told from its neighbours. */
const surroundings = 1024;

function characterAt(text: string, at: number): { start: number; end: number } {
  const from = Math.max(0, at - surroundings);
  const found = characters()
    .segment(text.slice(from, at + surroundings))
    .containing(at - from);
  const start = found === undefined ? at : from + found.index;
  return { start, end: start + (found?.segment.length ?? 0) };
}

const splitsPair = (text: string, at: number): 0 | 1 =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? 1 : 0;
