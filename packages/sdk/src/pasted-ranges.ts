/**
 * Which parts of what somebody said they pasted, dropped or piped in: data for the gate, where the rest is typed. Every
 * change of a text goes through here, so that no pasted character is ever taken for a typed one.
 */

/** From `start` up to `end`, in UTF-16 units. */
export interface PastedRange {
  start: number;
  end: number;
}

/** What somebody said. `pasted` left out: the door cannot tell. */
export interface Spoken {
  text: string;
  pasted?: readonly PastedRange[] | undefined;
}

/** The same where it is known. */
export interface MarkedText {
  text: string;
  pasted: readonly PastedRange[];
}

export interface SpokenPart {
  text: string;
  isPasted: boolean;
}

/**
 * Sorted, apart and within the text, around whole characters. Ranges that are out of order, overlap or leave the text
 * may belong to another text: then all of it counts as pasted. Pure.
 */
export function checkedRanges(text: string, ranges: readonly PastedRange[]): PastedRange[] {
  const checked: PastedRange[] = [];
  let before = 0;
  for (const { start, end } of ranges) {
    const isSound =
      Number.isInteger(start) &&
      Number.isInteger(end) &&
      before <= start &&
      start <= end &&
      end <= text.length;
    if (!isSound) return wholeOf(text);
    before = end;
    if (start < end)
      addRange(checked, { start: wholeCharacter(text, start, -1), end: wholeCharacter(text, end, 1) });
  }
  return checked;
}

/** Everything in it is pasted. Pure. */
export const wholeOf = (text: string): PastedRange[] => (text === "" ? [] : [{ start: 0, end: text.length }]);

/** The text cut into what was typed and what was pasted, in order; without empty parts. Pure. */
export function partsOf({ text, pasted = [] }: Spoken): SpokenPart[] {
  const parts: SpokenPart[] = [];
  let at = 0;
  const add = (end: number, isPasted: boolean) => {
    if (end > at) parts.push({ text: text.slice(at, end), isPasted });
    at = Math.max(at, end);
  };
  for (const { start, end } of checkedRanges(text, pasted)) {
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return parts;
}

/** The reverse of `partsOf`. Pure. */
export function joinedParts(parts: readonly SpokenPart[]): MarkedText {
  const pasted: PastedRange[] = [];
  let text = "";
  for (const part of parts) {
    const start = text.length;
    text += part.text;
    if (part.isPasted && part.text !== "") addRange(pasted, { start, end: text.length });
  }
  return { text, pasted };
}

/** One text after the other. Where of one nobody can tell, nobody can tell of the whole. Pure. */
export function joinedSpoken(all: readonly Spoken[]): Spoken {
  const text = all.map((each) => each.text).join("");
  return all.some(({ pasted }) => pasted === undefined) ? { text } : joinedParts(all.flatMap(partsOf));
}

/** As `slice` of a text. Pure. */
export function slicedSpoken({ text, pasted }: Spoken, from: number, to = text.length): Spoken {
  const words = text.slice(from, to);
  if (!pasted) return { text: words };
  const within = checkedRanges(text, pasted).flatMap(({ start, end }) => {
    const cut = { start: Math.max(start, from) - from, end: Math.min(end, to) - from };
    return cut.start < cut.end ? [cut] : [];
  });
  return { text: words, pasted: within };
}

/** As `trim` of a text. Pure. */
export function trimmedSpoken(spoken: Spoken): Spoken {
  const from = spoken.text.length - spoken.text.trimStart().length;
  return slicedSpoken(spoken, from, Math.max(from, spoken.text.trimEnd().length));
}

/**
 * Rewritten by something that works piece by piece, such as what takes secrets out. Where it makes something else of the
 * pieces than of the whole, the whole counts as pasted, if any of it was. Pure if `change` is.
 */
export function rewrittenSpoken({ text, pasted }: Spoken, change: (text: string) => string): Spoken {
  const changed = change(text);
  if (!pasted) return { text: changed };
  if (changed === text) return { text, pasted: checkedRanges(text, pasted) };
  const pieces = joinedParts(partsOf({ text, pasted }).map((part) => ({ ...part, text: change(part.text) })));
  if (pieces.text === changed) return pieces;
  return { text: changed, pasted: pieces.pasted.length > 0 ? wholeOf(changed) : [] };
}

/**
 * The typed words where they stand, with `sign` for every pasted character but blank space. What is recognised in it
 * was typed. Pure.
 */
export const typedAlone = (spoken: Spoken, sign = "\uFFFC"): string =>
  partsOf(spoken)
    .map(({ text, isPasted }) =>
      isPasted ? text.replaceAll(/\S/gu, (each) => sign.repeat(each.length)) : text,
    )
    .join("");

/** Whether any of what was pasted is more than words within a line. Pure. */
export const hasPastedLines = (spoken: Spoken): boolean =>
  partsOf(spoken).some(({ text, isPasted }) => isPasted && hasLineBreak(text));

/** Pure. */
export const hasLineBreak = (text: string): boolean => /[\n\r\v\f\u0085\u2028\u2029]/.test(text);

/** The most characters of a message that counts as typed where nobody can tell. */
const longestTyped = 280;

/** Whether a text that somebody sent where nobody can tell may hold a paste. Pure. */
export const mayHoldPaste = (text: string): boolean =>
  text.length > longestTyped || hasLineBreak(text.trim());

function addRange(ranges: PastedRange[], { start, end }: PastedRange): void {
  const last = ranges.at(-1);
  if (last && last.end >= start) last.end = Math.max(last.end, end);
  else ranges.push({ start, end });
}

/** Outwards, where the place is in the middle of a character. */
function wholeCharacter(text: string, at: number, step: -1 | 1): number {
  const isWithin = isHighHalf(text.charCodeAt(at - 1)) && isLowHalf(text.charCodeAt(at));
  return isWithin ? at + step : at;
}

const isHighHalf = (code: number): boolean => code >= 0xd8_00 && code < 0xdc_00;
const isLowHalf = (code: number): boolean => code >= 0xdc_00 && code < 0xe0_00;
