/** What a question asks about: its words without those that only ask, identifiers, quoted words, and the days it speaks of. */
import { readDates, type DayRange } from "./dates.ts";
import { foldText, isPaired, termsOf } from "./index-terms.ts";
import { isStopWord, withoutChineseStops } from "./stop-words.ts";

export interface Question {
  /** Terms, each once, in the order of the question. */
  words: string[];
  /** Those of the words that name one thing exactly: `E1234`, `src/a.ts`, `v1.2.3`. */
  identifiers: Set<string>;
  /** Those of the words that are written as names: with a capital, and not as the first of a sentence. */
  names: Set<string>;
  /** Two neighbouring words as one: `ice cream` is found as `icecream`. */
  compounds: string[];
  /** What stands between quotation marks, folded. */
  phrases: string[];
  days: DayRange[];
  /** All of it, folded. */
  folded: string;
}

/** Never throws, whatever the text. */
export function readQuestion(text: string, asked: { now: number; timezone: string }): Question {
  const folded = foldText(text.slice(0, mostRead));
  const { ranges, rest } = readDates(folded, asked);
  const words = contentWords(rest);
  const identifiers = identifiersIn(folded);
  return {
    words: [...new Set([...identifiers, ...words])].slice(0, mostWords),
    identifiers,
    names: namesIn(text.slice(0, mostRead)),
    compounds: compoundsOf(words),
    phrases: [...folded.matchAll(quoted)]
      .map(([, phrase = ""]) => phrase.trim())
      .filter((phrase) => phrase !== ""),
    days: ranges,
    folded,
  };
}

/** A question is short; anything may be pasted after it. */
const mostRead = 2000;
const mostWords = 64;

const quoted = /["“«「『]([^"“”«»「」『』]{2,200})["”»」』]/gu;

/** Where only stop words are there, Chinese ones still are characters of the text that is looked for. */
function contentWords(text: string): string[] {
  const words = withoutSingles(termsOf(withoutChineseStops(text))).filter((word) => !isStopWord(word));
  return words.length > 0 ? words : withoutSingles(termsOf(text)).filter(isPaired);
}

/** A single character says little if there are other words. */
function withoutSingles(words: string[]): string[] {
  const others = words.filter((word) => !(isPaired(word) && Array.from(word).length === 1));
  return others.length > 0 ? others : words;
}

/** Letters with digits, or words held together by what prose does not hold words together with. */
function identifiersIn(folded: string): Set<string> {
  const found = new Set<string>();
  for (const [piece] of folded.matchAll(/[\p{L}\p{N}\p{M}]+(?:[_.:/\\@#+~-]+[\p{L}\p{N}\p{M}]+)*/gu)) {
    if (isPaired(piece)) continue;
    const isMixed =
      /\p{L}/u.test(piece) && /\p{N}/u.test(piece) && !/^\d+(?:st|nd|rd|th|am|pm|s)$/u.test(piece);
    const isHeld = /\p{L}/u.test(piece) && /[_:/\\@#]|[\p{L}\p{N}]{2}\.[\p{L}\p{N}]{2}/u.test(piece);
    const isVersion = /^\d+(?:[.-]\d+){2,}$/u.test(piece);
    const isNumber = /^\d{5,}$/u.test(piece);
    if (!isMixed && !isHeld && !isVersion && !isNumber) continue;
    const terms = termsOf(piece);
    // The joined form comes behind the parts; a word of one part is its own.
    const joined = terms.find((term) => term.includes("ː")) ?? (terms.length === 1 ? terms[0] : undefined);
    if (joined !== undefined) found.add(joined);
  }
  return found;
}

function namesIn(text: string): Set<string> {
  const written = text.toWellFormed().matchAll(/(?<=[\p{L}\p{N},;:]\s+)\p{Lu}\p{L}+/gu);
  return new Set(Array.from(written).flatMap(([name]) => termsOf(name)));
}

function compoundsOf(words: readonly string[]): string[] {
  const isPlain = (word: string | undefined) => word !== undefined && /^[a-z]{2,}$/u.test(word);
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    return isPlain(word) && isPlain(next) ? [word + next] : [];
  });
}
