/**
 * Splits one line into parts of limited UTF-8 length: between words if possible, else between visible characters;
 * only a character that alone is too long is split itself. The parts in order are the line, except for white space at
 * the cuts.
 */
export function splitLine(line: string, bytes: number): string[] {
  // Four bytes hold any code point.
  if (!(bytes >= 4)) throw new RangeError(`a part must hold at least 4 bytes, not ${bytes}`);
  const parts: string[] = [];
  let rest = line;
  while (Buffer.byteLength(rest) > bytes) {
    const end = roomIn(rest, bytes);
    const space = rest.lastIndexOf(" ", end);
    const part = rest.slice(0, space > end / 2 ? space : end);
    parts.push(part);
    rest = rest.slice(part.length).trimStart();
  }
  return [...parts, rest].filter((part) => part.trim() !== "");
}

/** The parts of one line with what is marked in it: a network that ends all marks with the line has them taken up again in the next. */
export function carryMarks(parts: readonly string[], marks: readonly string[]): string[] {
  const openIn = (text: string) => marks.filter((mark) => text.split(mark).length % 2 === 0);
  return parts.map((part, at) => openIn(parts.slice(0, at).join("")).join("") + part);
}

/** Puts lines together as far as they fit, with a stroke between them: for networks where every line is a message. */
export function packLines(lines: readonly string[], bytes: number): string[] {
  const packed: string[] = [];
  for (const line of lines) {
    const joined = `${packed.at(-1)} / ${line.trim()}`;
    if (packed.length === 0 || Buffer.byteLength(joined) > bytes) packed.push(line);
    else packed.splice(-1, 1, joined);
  }
  return packed;
}

/** In UTF-16 units. */
function roomIn(text: string, bytes: number): number {
  // A unit takes at least a byte, so nothing beyond could fit; a few more show whether a character goes on there.
  const head = text.slice(0, bytes + 8);
  const characters = Array.from(segmenter().segment(head), ({ segment }) => segment);
  return lengthWithin(characters, bytes) || lengthWithin(Array.from(head), bytes);
}

let made: Intl.Segmenter | undefined;
/** Once, with the first text: making one takes milliseconds. */
const segmenter = (): Intl.Segmenter => (made ??= new Intl.Segmenter());

function lengthWithin(pieces: readonly string[], bytes: number): number {
  let [length, used] = [0, 0];
  for (const piece of pieces) {
    used += Buffer.byteLength(piece);
    if (used > bytes) break;
    length += piece.length;
  }
  return length;
}
