/**
 * Code within a line, as CommonMark has it: a run of backticks is closed by the next run of the same length in the same paragraph;
 * one that is never closed is a run of backticks and nothing more.
 */
import { fenceOpenedBy } from "./code-fence.ts";

export type SpanSearch =
  | { type: "span"; end: number }
  | { type: "none" }
  /** Undecided; the next search may begin at `from`. */
  | { type: "more"; from: number };

/** So far ahead a closing run is looked for: what may be a tag outside of code is held back until one is found. */
const longestSpan = 2048;

/** Where the span ends that a run of `ticks` backticks before `start` opens. `from` is where the last search left off. */
export function findSpanEnd(
  text: string,
  { start, from, ticks, isLast }: { start: number; from: number; ticks: number; isLast: boolean },
): SpanSearch {
  const end = Math.min(text.length, start + longestSpan);
  const isWhole = isLast || end === start + longestSpan;
  let at = from;
  for (;;) {
    const found = nextMark(text, at, end);
    if (found === end) return isWhole ? { type: "none" } : { type: "more", from: end };
    if (text[found] === "`") {
      at = found;
      while (at < end && text[at] === "`") at++;
      if (at === end && !isWhole) return { type: "more", from: found };
      if (at - found === ticks) return { type: "span", end: at };
    } else {
      const line = lineAfter(text, found + 1, end, isWhole);
      if (line === "more") return { type: "more", from: found };
      if (line === "ends") return { type: "none" };
      at = found + 1;
    }
  }
}

/** How many backticks stand at `at`; undefined while more may follow. */
export function runLength(text: string, at: number, isLast: boolean): number | undefined {
  let end = at;
  while (text[end] === "`") end++;
  return end === text.length && !isLast ? undefined : end - at;
}

function nextMark(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 96 || code === 10) return at;
  }
  return end;
}

/** Whether the line that begins at `start` ends the paragraph before it. */
function lineAfter(text: string, start: number, end: number, isWhole: boolean): "ends" | "goes-on" | "more" {
  let at = start;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  if (at === end) return isWhole ? "ends" : "more";
  if (!mayEndParagraph.test(text[at] ?? "")) return "goes-on";
  const newline = text.indexOf("\n", at);
  const lineEnd = newline < 0 || newline > end ? end : newline;
  if (lineEnd === end && !isWhole) return "more";
  const line = text.slice(start, lineEnd);
  return blockLine.test(line) || fenceOpenedBy(line) ? "ends" : "goes-on";
}

const mayEndParagraph = /[\r\n#>\-*+`~=_<\d]/;

/** Blank lines, headings and their underlines, rules, quotations, list items, and tags that begin a line. */
const blockLine =
  /^[ \t]*(?:\r?$|#{1,6}(?:\s|$)|>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|(?:-{2,}|={2,}|\*{3,}|_{3,})\s*$|<\s*\/?\s*(?:think(?:ing)?|thought|reasoning|final)(?:\s[^<>]*)?>)/i;
