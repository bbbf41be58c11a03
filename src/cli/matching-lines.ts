/** Which lines of a text hold the words that were searched for, and the part of a line that is worth showing. */
import { characters } from "../infra/characters.ts";
import { displayWidth } from "./table.ts";

/** The words that tell something: those of any sentence count only where there are no others. */
export function tellingWords(words: string): string[] {
  const pieces = fold(words).match(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu) ?? [];
  const all = pieces.flatMap((piece) => (/^\p{Script=Han}{3}/u.test(piece) ? pairsOf(piece) : [piece]));
  const telling = all.filter((word) => !ofAnySentence.has(word));
  return [...new Set(telling.length > 0 ? telling : all)];
}

/** Nothing separates Chinese words: two signs beside one another are nearest to one. */
function pairsOf(text: string): string[] {
  const signs = [...text];
  return signs.slice(1).map((sign, at) => `${signs[at] ?? ""}${sign}`);
}

const ofAnySentence: ReadonlySet<string> = new Set(
  "a an the and or of to in on at by for from with about is are was were be been do does did has have had i you he she it we they me my your his her our their this that who what when where which why how please".split(
    " ",
  ),
);

/** Those lines of the text that hold most of the words; none where no line holds one. */
export function matchingLines(text: string, words: readonly string[]): string[] {
  const scored = text
    .split("\n")
    .map((line) => ({ line, count: words.filter((word) => placeOf(line, word) >= 0).length }));
  const most = Math.max(0, ...scored.map(({ count }) => count));
  return most === 0 ? [] : scored.filter(({ count }) => count === most).map(({ line }) => line);
}

/** As much of the line as fits into `places`, with the first of the words in it. */
export function showAround(line: string, words: readonly string[], places: number | undefined): string {
  if (places === undefined || displayWidth(line) <= places) return line;
  const found = words.map((word) => placeOf(line, word)).filter((place) => place >= 0);
  const first = found.length > 0 ? Math.min(...found) : 0;
  const room = Math.floor(places / 3);
  const isNear = displayWidth(line.slice(0, first)) <= places - room;
  const from = isNear ? 0 : startBefore(line, first, room);
  return `${from > 0 ? "…" : ""}${cutToWidth(line.slice(from).trimStart(), places - (from > 0 ? 1 : 0))}`;
}

export function cutToWidth(text: string, places: number | undefined): string {
  if (places === undefined || displayWidth(text) <= places) return text;
  let kept = "";
  let taken = 1;
  for (const { segment } of characters().segment(text)) {
    taken += displayWidth(segment);
    if (taken > places) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Where the words before `at` begin that fill about `room`. */
function startBefore(line: string, at: number, room: number): number {
  const wanted = Math.max(0, at - room);
  const space = line.indexOf(" ", wanted);
  return space >= 0 && space < at ? space + 1 : wanted;
}

const placeOf = (line: string, word: string): number => {
  const folded = fold(line);
  // Where folding changes the length, a place in one is none in the other.
  const place = folded.indexOf(word);
  return place >= 0 && folded.length !== line.length ? 0 : place;
};

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
