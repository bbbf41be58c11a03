/**
 * Cuts a text into parts that a network takes. The law: the parts in order, with some white space put back between them, are the
 * text; nothing else is lost, and nothing is added but the lines that close a code block in one part and open it again in the next.
 * No part is longer than the limit, none is blank, and no character that people see as one is cut unless it alone is too long.
 * Links, code, emphasis, table rows and list markers are cut only where there is no other place; headings stay with what follows.
 */
import { characters } from "../infra/characters.ts";
import { liftCodeBlocks } from "./split-text-lift.ts";
import { outlineOf, type CodeBlock, type Outline } from "./split-text-outline.ts";

/** How long a text is for a network. A text is never longer than one that begins with it. */
export type Measure = (text: string) => number;

export const measureUtf16: Measure = (text) => text.length;
export const measureBytes: Measure = (text) => Buffer.byteLength(text);

/** `limit` in units of `measure`, at least 2. A blank text has no parts; one that fits is its only part, as it is. */
export function splitText(text: string, limit: number, measure: Measure = measureUtf16): string[] {
  if (!(limit >= 2)) throw new RangeError(`a part must hold at least 2 units, not ${limit}`);
  if (text.trim() === "") return [];
  if (measure(text) <= limit) return [text];
  // Below this there is no room for fences beside their code: they are cut like any other text.
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
  /** The line that opens again the block that the piece begins within, and the one that closes the block that it ends within. */
  head: string;
  foot: string;
  body: string;
  /** Where the text after it begins, and within which block. */
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

  let room = fits(budget);
  for (;;) {
    let cut = findCut(splitting, at, room, block !== undefined);
    let open = minding ? outline.blockAt(cut) : undefined;
    if (open && cut <= open.openerEnd && text.slice(at, Math.max(at, open.start - 1)).trim() !== "") {
      // Not a part whose last line opens a block.
      cut = open.start - 1;
      open = undefined;
    }
    const body = text.slice(at, cut);
    if (!open) return { head, foot: "", body: body.trimEnd(), next: afterSpace(text, cut), open };
    const foot = `\n${open === block ? "" : continued(open.prefix)}${open.marks}`;
    const closed = fits(budget - measure(foot));
    if (cut - at <= closed) return { head, foot, body, ...goOnWithin(text, cut, open) };
    // Marks as long as the message itself are no fence to preserve.
    if (closed < room / 2)
      return { head, foot: "", body: body.trimEnd(), next: afterSpace(text, cut), open: undefined };
    room = closed;
  }
}

/** After a cut within a block: its next line, or what follows it where only its last line is left. */
function goOnWithin(text: string, cut: number, open: CodeBlock): Pick<Piece, "next" | "open"> {
  const next = text[cut] === "\n" ? cut + 1 : cut;
  // The part before has closed the block already.
  return next >= open.closerStart ? { next: afterSpace(text, open.end), open: undefined } : { next, open };
}

/** In lists and quotations the lines of a block begin as its first one does, with spaces in the place of list markers. */
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

/** Best first: each is taken when it lies in the later part of the room. */
const breaks: Array<{ at: RegExp; from: number }> = [
  { at: /(?=\r?\n[^\S\n]*\r?\n)/g, from: 0.3 },
  { at: /(?=\r?\n)/g, from: 0.5 },
  {
    at: /(?<=[。！？；｡][”’」』）》】〉]*|[.!?…]["'”’)\]*_]*(?=\s))(?![”’」』）》】〉。！？；])/g,
    from: 0.5,
  },
  { at: /(?=\s)/g, from: 0.5 },
];

/** Where to cut at the latest `room` units after `at`. Code is cut between lines only, where that can be. */
function findCut({ text, outline }: Splitting, at: number, room: number, inCode: boolean): number {
  // One code point beyond the room tells whether the room ends between two characters.
  const segments = characters().segment(text.slice(at, at + room + 2));
  const isWhole = (index: number) => segments.containing(index)?.index === index;
  const window = text.slice(at, at + room + 1);
  const least = window.length - window.trimStart().length;
  const usable = inCode ? breaks.slice(1, 2) : breaks;
  const places = usable.map(({ at: pattern }) =>
    Array.from(window.matchAll(pattern), ({ index }) => index).filter(
      (index) => index > least && index <= room,
    ),
  );
  const lastPlace = (index: number, harm: number) =>
    places[index]?.findLast((place) => outline.harmAt(at + place) <= harm && isWhole(place)) ?? 0;

  for (const harm of [0, 1, 2, 3]) {
    const lasts = usable.map(({ from }, index) => ({ from, last: lastPlace(index, harm) }));
    const good = lasts.find(({ last, from }) => last > 0 && last >= room * from);
    if (good) return at + good.last;
    if (harm === 0) continue;
    const any = lasts.find(({ last }) => last > 0);
    if (any) return at + any.last;
    if (harm === 3) break;
    for (let place = room; place > least; place--)
      if (outline.harmAt(at + place) <= harm && isWhole(place)) return at + place;
  }
  const boundary = segments.containing(room)?.index ?? room;
  if (boundary > 0) return at + boundary;
  const inPair =
    /[\uD800-\uDBFF]/.test(text[at + room - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at + room] ?? "");
  return at + (inPair ? (room > 1 ? room - 1 : 2) : room);
}

/** Blank lines go; the indentation of the next line stays. */
function afterSpace(text: string, from: number): number {
  const space = text.slice(from).length - text.slice(from).trimStart().length;
  let end = 0;
  let lineStart = 0;
  // A little beyond the white space, so that a mark which combines with its last character is seen.
  for (const { segment, index } of characters().segment(text.slice(from, from + space + 4))) {
    if (segment.trim() !== "") break;
    end = index + segment.length;
    if (segment.endsWith("\n")) lineStart = end;
  }
  return from + (lineStart || end);
}
