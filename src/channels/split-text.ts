/**
 * Splits a text into parts that a network accepts. The parts in order, with white space put back between them, are
 * the text: nothing else is lost, and only lines that close and reopen a code block are added. No part exceeds the
 * limit, none is blank, and no visible character is split unless it alone is too long. Links, code, emphasis, table
 * rows and list markers are split only if there is no other place; headings stay with what follows.
 */
import { characters } from "../infra/characters.ts";
import { liftCodeBlocks } from "./split-text-lift.ts";
import { outlineOf, type CodeBlock, type Outline } from "./split-text-outline.ts";

/** The length of a text for a network. Must be monotonic: a prefix is never longer than the text. */
export type Measure = (text: string) => number;

export const measureUtf16: Measure = (text) => text.length;
export const measureBytes: Measure = (text) => Buffer.byteLength(text);

/** `limit` is in units of `measure`, at least 2. A blank text has no parts; one that fits is returned as it is. */
export function splitText(text: string, limit: number, measure: Measure = measureUtf16): string[] {
  if (!(limit >= 2)) throw new RangeError(`a part must hold at least 2 units, not ${limit}`);
  if (text.trim() === "") return [];
  if (measure(text) <= limit) return [text];
  // A smaller limit has no space for fences beside the code: they are split like other text.
  const minding = limit >= 64;
  const whole = minding ? liftCodeBlocks(text, limit) : text;
  const splitting: Splitting = { text: whole, outline: outlineOf(whole, limit), limit, measure, minding };
  const parts: string[] = [];
  let at = 0;
  let block: CodeBlock | undefined;
  while (at < whole.length) {
    const piece = takePiece(splitting, at, block);
    if (piece.body.trim() !== "") parts.push(piece.head + piece.body + piece.foot);
    at = piece.next;
    block = piece.open;
  }
  return parts;
}

interface Splitting {
  text: string;
  outline: Outline;
  limit: number;
  measure: Measure;
  minding: boolean;
}

interface Piece {
  /** The line that reopens the block in which the part begins, and the one that closes the block in which it ends. */
  head: string;
  foot: string;
  body: string;
  /** Where the rest of the text begins, and in which block. */
  next: number;
  open: CodeBlock | undefined;
}

function takePiece(splitting: Splitting, at: number, block: CodeBlock | undefined): Piece {
  const { text, outline, limit, measure, minding } = splitting;
  const head = block ? `${block.opener}\n` : "";
  const budget = limit - measure(head);
  const fits = (from: number) => unitsThatFit(text, at, from, measure);
  if (fits(budget) >= text.length - at)
    return { head, foot: "", body: text.slice(at), next: text.length, open: undefined };

  let space = fits(budget);
  for (;;) {
    let cut = findCut(splitting, at, space, block !== undefined);
    let open = minding ? outline.blockAt(cut) : undefined;
    if (open && cut <= open.openerEnd && text.slice(at, Math.max(at, open.start - 1)).trim() !== "") {
      // A part must not end with the line that opens a block.
      cut = open.start - 1;
      open = undefined;
    }
    const body = text.slice(at, cut);
    if (!open) return { head, foot: "", body: body.trimEnd(), next: afterSpace(text, cut), open };
    const foot = `\n${open === block ? "" : continued(open.prefix)}${open.marks}`;
    const closed = fits(budget - measure(foot));
    if (cut - at <= closed) return { head, foot, body, ...goOnWithin(text, cut, open) };
    // A fence as long as the message is not worth preserving.
    if (closed < space / 2)
      return { head, foot: "", body: body.trimEnd(), next: afterSpace(text, cut), open: undefined };
    space = closed;
  }
}

/** After a cut inside a block: its next line, or what follows the block if only its last line is left. */
function goOnWithin(text: string, cut: number, open: CodeBlock): Pick<Piece, "next" | "open"> {
  const next = text[cut] === "\n" ? cut + 1 : cut;
  // The previous part has already closed the block.
  return next >= open.closerStart ? { next: afterSpace(text, open.end), open: undefined } : { next, open };
}

/** In lists and quotations the lines of a block keep the prefix of the first, with spaces instead of list markers. */
const continued = (prefix: string): string => prefix.replaceAll(/[^\s>]/g, " ");

/** How many UTF-16 units from `at` on measure no more than `budget`. */
function unitsThatFit(text: string, at: number, budget: number, measure: Measure): number {
  const rest = text.length - at;
  if (measure === measureUtf16) return Math.max(1, Math.min(rest, budget));
  const isIn = (units: number) => measure(text.slice(at, at + units)) <= budget;
  let [low, high] = [1, Math.max(2, budget)];
  while (high < rest && isIn(high)) [low, high] = [high, high * 2];
  high = Math.min(high, rest);
  if (isIn(high)) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isIn(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Best first: each is used if it lies in the later part of the space. */
const breaks: Array<{ at: RegExp; from: number }> = [
  { at: /(?=\r?\n[^\S\n]*\r?\n)/g, from: 0.3 },
  { at: /(?=\r?\n)/g, from: 0.5 },
  {
    at: /(?<=[。！？；｡][”’」』）》】〉]*|[.!?…]["'”’)\]*_]*(?=\s))(?![”’」』）》】〉。！？；])/g,
    from: 0.5,
  },
  { at: /(?=\s)/g, from: 0.5 },
];

/** The best cut at most `space` units after `at`. Code is cut between lines if possible. */
function findCut({ text, outline }: Splitting, at: number, space: number, inCode: boolean): number {
  // One code point more shows whether the space ends between two characters.
  const segments = characters().segment(text.slice(at, at + space + 2));
  const isWhole = (index: number) => segments.containing(index)?.index === index;
  const window = text.slice(at, at + space + 1);
  const least = window.length - window.trimStart().length;
  const usable = inCode ? breaks.slice(1, 2) : breaks;
  const places = usable.map(({ at: pattern }) =>
    Array.from(window.matchAll(pattern), ({ index }) => index).filter(
      (index) => index > least && index <= space,
    ),
  );
  const lastPlace = (index: number, harm: number) =>
    places[index]?.findLast((place) => outline.harmAt(at + place) <= harm && isWhole(place)) ?? 0;

  for (const harm of [0, 1, 2, 3]) {
    const lasts = usable.map(({ from }, index) => ({ from, last: lastPlace(index, harm) }));
    const good = lasts.find(({ last, from }) => last > 0 && last >= space * from);
    if (good) return at + good.last;
    if (harm === 0) continue;
    const any = lasts.find(({ last }) => last > 0);
    if (any) return at + any.last;
    if (harm === 3) break;
    for (let place = space; place > least; place--)
      if (outline.harmAt(at + place) <= harm && isWhole(place)) return at + place;
  }
  const boundary = segments.containing(space)?.index ?? space;
  if (boundary > 0) return at + boundary;
  const inPair =
    /[\uD800-\uDBFF]/.test(text[at + space - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at + space] ?? "");
  return at + (inPair ? (space > 1 ? space - 1 : 2) : space);
}

/** Blank lines are dropped; the indentation of the next line stays. */
function afterSpace(text: string, from: number): number {
  const space = text.slice(from).length - text.slice(from).trimStart().length;
  let end = 0;
  let lineStart = 0;
  // Slightly past the white space, to see a mark that combines with its last character.
  for (const { segment, index } of characters().segment(text.slice(from, from + space + 4))) {
    if (segment.trim() !== "") break;
    end = index + segment.length;
    if (segment.endsWith("\n")) lineStart = end;
  }
  return from + (lineStart || end);
}
