/**
 * Cuts a text into parts that a network takes. The law: the parts in order, with some white space put back between them, are the
 * text; nothing else is lost, and nothing is added but the lines that close a code block in one part and open it again in the next.
 * No part is longer than the limit, none is blank, and no character that people see as one is cut unless it alone is too long.
 */
import { closesFence, openFenceAfter, opensFence, type Fence } from "./code-fence.ts";

/** `limit` in UTF-16 units, at least 2. A blank text has no parts; one that fits is its only part, as it is. */
export function splitText(text: string, limit: number): string[] {
  if (!(limit >= 2)) throw new RangeError(`a part must hold at least 2 units, not ${limit}`);
  if (text.trim() === "") return [];
  const parts: string[] = [];
  let rest = text;
  let fence: Fence | undefined;
  for (;;) {
    const head = fence ? `${fence.opener}\n` : "";
    if (head.length + rest.length <= limit) {
      if (rest.trim() !== "") parts.push(head + rest);
      return parts;
    }
    const piece = takePiece(rest, limit - head.length, fence, limit >= leastForFences);
    const body = piece.open ? piece.text : piece.text.trimEnd();
    if (body.trim() !== "") parts.push(`${head}${body}${piece.open ? closing(piece.open) : ""}`);
    rest = rest.slice(piece.end);
    fence = piece.open;
    if (fence) {
      rest = rest.startsWith("\n") ? rest.slice(1) : rest;
      const after = withoutClosingLine(rest, fence);
      if (after === undefined) continue;
      // The part before has closed the block already.
      [rest, fence] = [after, undefined];
    }
    rest = withoutLeadingSpace(rest);
  }
}

interface Piece {
  text: string;
  /** Where the text after it begins. */
  end: number;
  /** The block that it ends within. */
  open: Fence | undefined;
}

/** Below this there is no room for fences beside their code: they are cut like any other text. */
const leastForFences = 64;

const closing = (fence: Fence): string => `\n${fence.marks}`;

function takePiece(rest: string, room: number, fence: Fence | undefined, minding: boolean): Piece {
  let space = room;
  for (;;) {
    const cut = findCut(rest, space, fence);
    const text = rest.slice(0, cut);
    const open = minding ? openFenceAfter(text, fence) : undefined;
    if (!open) return { text, end: cut, open };
    const bare = cutBeforeOpener(text, fence);
    if (bare > 0)
      return { text: rest.slice(0, bare), end: bare, open: openFenceAfter(rest.slice(0, bare), fence) };
    if (cut + closing(open).length <= room) return { text, end: cut, open };
    space = room - closing(open).length;
    // Marks as long as the message itself are no fence to preserve.
    if (space < room / 2) return { text, end: cut, open: undefined };
  }
}

/** Where to cut so that a block does not open in the last line of a part; 0 when it does not, or nothing stands before. */
function cutBeforeOpener(text: string, fence: Fence | undefined): number {
  const lineStart = text.lastIndexOf("\n") + 1;
  if (lineStart === 0 || !opensFence(text.slice(lineStart))) return 0;
  const before = text.slice(0, lineStart - 1);
  return openFenceAfter(before, fence) === undefined && before.trim() !== "" ? lineStart - 1 : 0;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Best first: each is taken when it lies in the later part of the room. */
const breaks: Array<{ at: RegExp; from: number }> = [
  { at: /(?=\r?\n[^\S\n]*\r?\n)/g, from: 0.3 },
  { at: /(?=\r?\n)/g, from: 0.5 },
  { at: /(?<=[。！？][”’」』）》]*|[.!?…]["'”’)\]]*(?=\s))/g, from: 0.5 },
  { at: /(?=\s)/g, from: 0.5 },
];

/** Code is cut between lines only, where that can be. */
function findCut(rest: string, room: number, fence: Fence | undefined): number {
  // One code point beyond the room tells whether the room ends between two characters.
  const segments = graphemes.segment(rest.slice(0, room + 2));
  const window = rest.slice(0, room + 1);
  const isWhole = (at: number) => segments.containing(at)?.index === at;
  const usable = (fence ? breaks.slice(1, 2) : breaks).map(({ at, from }) => ({
    from,
    last: lastBreak(window, at, room, isWhole),
  }));
  const best = usable.find(({ last, from }) => last >= room * from) ?? usable.find(({ last }) => last > 0);
  if (best && best.last > 0) return best.last;
  const boundary = segments.containing(room)?.index ?? room;
  if (boundary > 0) return boundary;
  const inPair = /[\uD800-\uDBFF]/.test(rest[room - 1] ?? "") && /[\uDC00-\uDFFF]/.test(rest[room] ?? "");
  return inPair && room > 1 ? room - 1 : room;
}

/** The last usable place with something to read before it; 0 when there is none. */
function lastBreak(window: string, at: RegExp, room: number, isWhole: (at: number) => boolean): number {
  const least = window.length - window.trimStart().length;
  let last = 0;
  for (const { index } of window.matchAll(at)) {
    if (index > least && index <= room && isWhole(index)) last = index;
  }
  return last;
}

/** What follows when the text goes on with the line that closes the block; undefined when it does not. */
function withoutClosingLine(rest: string, fence: Fence): string | undefined {
  const lineEnd = rest.indexOf("\n");
  const line = lineEnd < 0 ? rest : rest.slice(0, lineEnd);
  return closesFence(line, fence) ? rest.slice(line.length) : undefined;
}

/** Blank lines go; the indentation of the next line stays. */
function withoutLeadingSpace(rest: string): string {
  let end = 0;
  let lineStart = 0;
  for (const { segment, index } of graphemes.segment(rest.slice(0, leadingSpace(rest)))) {
    if (segment.trim() !== "") break;
    end = index + segment.length;
    if (segment.endsWith("\n")) lineStart = end;
  }
  return rest.slice(lineStart || end);
}

// A little beyond the white space, so that a mark which combines with its last character is seen.
const leadingSpace = (text: string): number => text.length - text.trimStart().length + 4;
