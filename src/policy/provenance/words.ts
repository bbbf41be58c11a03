/**
 * Normalises texts for comparison: what looks alike to a person is equal, and a value is found only as a separate
 * word.
 */

/** Without invisible characters, in one width and one case. */
export const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, (mark) => (mark === "\n" || mark === "\t" ? " " : ""))
    .toLowerCase();

/** Words, numbers and CJK pairs, normalised, in order. */
export function tokensOf(text: string): string[] {
  return (
    plain(text).match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu,
    ) ?? []
  ).flatMap((run) => (isCjk(run) ? pairsOf(run) : [run]));
}

const isCjk = (run: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(run);

const pairsOf = (run: string): string[] => {
  const letters = [...run];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
};

/**
 * The position of `value` in `text` as a separate word: not next to a letter, digit or joiner of the same word.
 * Expects plain texts. -1 if there is none; an empty value is never found.
 */
export function standsAt(text: string, value: string, from = 0): number {
  if (value === "") return -1;
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    // This much context on both sides is enough.
    const before = text.slice(Math.max(0, at - 4), at);
    const after = text.slice(at + value.length, at + value.length + 4);
    if (!joinsBefore(before, value) && !joinsAfter(after, value)) return at;
  }
  return -1;
}

/** A CJK name needs no space around it. */
const joinsBefore = (before: string, value: string): boolean =>
  !isCjk(value) &&
  /[\p{L}\p{N}@_+\-.]$/u.test(before) &&
  !/(?:^|\s)[.\-@]$/u.test(before) &&
  !endsInCjk(before);

const joinsAfter = (after: string, value: string): boolean =>
  !isCjk(value) &&
  /^(?:[\p{L}\p{N}_@]|[.\-+:][\p{L}\p{N}])/u.test(after) &&
  !/^[\p{Script=Han}]/u.test(after);

const endsInCjk = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u.test(text);

/** The sentence around a position, for people; at most `most` characters. */
export function sentenceAt(text: string, at: number, length: number, most = 240): string {
  const start = lastBreak(text.slice(0, at)) + 1;
  const rest = text.slice(at + length).search(/[\n.!?。！？]/u);
  const end = rest < 0 ? text.length : at + length + rest + 1;
  const sentence = text.slice(start, end).replaceAll(/\s+/gu, " ").trim();
  if (sentence.length <= most) return sentence;
  const inside = Math.max(0, at - start - most / 2);
  return `…${sentence.slice(inside, inside + most)}…`;
}

function lastBreak(text: string): number {
  return Math.max(...["\n", ". ", "! ", "? ", "。", "！", "？"].map((mark) => text.lastIndexOf(mark)));
}
