/** A part of a longer text in one line, around the word that was searched for. */

const around = 40;

/** Around the first of the terms that is there; else the beginning. Whole characters, blanks squeezed. */
export function snippetAround(text: string, terms: readonly string[]): string {
  const line = text.replace(/\s+/g, " ").trim();
  const at = terms.map((term) => findIn(line, term)).find((place) => place !== undefined) ?? {
    from: 0,
    to: 0,
  };
  const before = Array.from(line.slice(0, at.from));
  const after = Array.from(line.slice(at.to));
  const shownAfter = at.to > 0 ? around : 2 * around;
  return [
    before.length > around ? "…" : "",
    before.slice(-around).join(""),
    line.slice(at.from, at.to),
    after.slice(0, shownAfter).join(""),
    after.length > shownAfter ? "…" : "",
  ].join("");
}

function findIn(line: string, term: string): { from: number; to: number } | undefined {
  // By pattern and not by lower case, which may change lengths.
  const words = term.trim().split(/\s+/).map(escape).join(" ");
  const match = new RegExp(words, "iu").exec(line);
  return match ? { from: match.index, to: match.index + match[0].length } : undefined;
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
