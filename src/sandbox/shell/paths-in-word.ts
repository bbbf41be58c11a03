/**
 * Everything in a word that a program could treat as a path. How a program parses its words is unknown: a value may
 * follow `=`, `@`, `,`, `:` or any other sign, or an option's letters. So every part between two signs counts,
 * whether or not such a file exists.
 */

/** Each once; undefined where there are too many to be looked at. */
export function pathsInWord(text: string): string[] | undefined {
  if (isWebAddress(text)) return [text];
  const signs = [...text.matchAll(sign)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const starts = [0, ...signs.map(({ end }) => end), ...gluedStarts(text)];
  const ends = [...signs.map(({ start }) => start), text.length];
  if (starts.length * ends.length * text.length > mostCharacters) return undefined;
  const parts = starts.flatMap((start) => ends.map((end) => text.slice(start, Math.max(start, end))));
  return [...new Set(parts)].filter((part) => part !== "");
}

/** Whatever no plain name is made of. */
const sign = /[^\p{L}\p{M}\p{N}_./~-]/gu;

/** Of all parts together. */
const mostCharacters = 100_000;

/** Not a word of it is a path of its own, unless the whole is. A sign by which lists are made takes that away. */
const isWebAddress = (text: string): boolean => /^https?:\/\/[\w.:-]+(?:[/?#][^\s,;@'"|<>\\]*)?$/i.test(text);

/** Values may hang on the letters of an option, as in `-C..`, `-xf/etc/passwd` or `-flink`; `..` may hang on any letter. */
function gluedStarts(text: string): number[] {
  const [letters = ""] = /^-?[\p{L}\p{N}]*/u.exec(text) ?? [];
  const isOption = text.startsWith("-");
  const afterLetters = isOption ? Array.from(letters, (_, index) => index + 1) : [];
  const climbing = text.matchAll(/(?<![./])\.\.(?![\p{L}\p{N}_.-])/gu);
  const roots = isOption ? text.matchAll(/[/~]/g) : [];
  return [...afterLetters, ...[...climbing, ...roots].map(({ index }) => index)];
}
