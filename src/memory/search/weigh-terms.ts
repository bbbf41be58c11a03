/** What each term of a question weighs: the fewer lines have it, the more. Words that are spelled alike stand in for it at half of that. */
import { distance } from "fastest-levenshtein";
import { stemsOf } from "../../storage/memory-index/read-stems.ts";
import type { WordReader } from "../../storage/memory-index/read-words.ts";
import { isPaired } from "./index-terms.ts";
import type { Question } from "./read-question.ts";
import { isAskingWord } from "./stop-words.ts";

export interface WeighedTerm {
  /** As the index would keep it. */
  stem: string;
  /** What is found for it: itself, and words like it. */
  forms: Array<{ stem: string; share: number; lines: number }>;
  /** What a line gets for having it. */
  weight: number;
  /** The name of a speaker. */
  isName: boolean;
  /** Written as a name. */
  isProper: boolean;
  isIdentifier: boolean;
  /** Says nothing of what is asked about. */
  isAsking: boolean;
  /** Two characters of a text without spaces. */
  isPair: boolean;
}

export function weighTerms(
  question: Question,
  { words, total }: { words: WordReader; total: number },
): WeighedTerm[] {
  const asked = [...question.words, ...question.compounds];
  const stems = stemsOf(asked);
  const seen = new Set<string>();
  return asked.flatMap((word, at) => {
    const stem = stems[at] ?? "";
    if (stem === "" || seen.has(stem)) return [];
    seen.add(stem);
    const isIdentifier = question.identifiers.has(word);
    const { body, head } = words.count(stem);
    const isCompound = at >= question.words.length;
    if (isCompound && body === 0) return [];
    const own = body > 0 ? [{ stem, share: 1, lines: body }] : [];
    const forms = isIdentifier || isCompound ? own : [...own, ...alike(stem, body, words)];
    const isName = head > 0 && !isIdentifier;
    const isAsking = isAskingWord(word) && !isIdentifier;
    const lines = body || Math.max(0, ...forms.map((form) => form.lines));
    return [
      {
        stem,
        forms,
        weight: rarity(lines, total) * (isName ? nameShare : isAsking ? askingShare : 1),
        isName,
        isProper: question.names.has(word),
        isIdentifier,
        isAsking,
        isPair: isPaired(word),
      },
    ];
  });
}

/** As in BM25. */
function rarity(lines: number, total: number): number {
  return Math.log(1 + Math.max(0, total - lines + 0.5) / (lines + 0.5));
}

/**
 * Who is asked about is in most lines near the answer already, by who said them: as a word the name counts for little, but where nothing
 * else is known it leads somewhere.
 */
const nameShare = 0.3;
const askingShare = 0.3;
/** For `allergic` where `allergies` is asked for, and for a slip of the pen. */
const alikeShare = 0.5;
const shortestAlike = 5;
const mostEndings = 3;
const mostAlike = 8;
const mostLookedAt = 4000;

function alike(stem: string, lines: number, words: WordReader): WeighedTerm["forms"] {
  if (isPaired(stem)) return Array.from(stem).length === 1 ? pairsFrom(stem, words) : [];
  if (stem.length < shortestAlike || !/^\p{L}+$/u.test(stem)) return [];
  const beginning = stem.slice(0, Math.max(shortestAlike, stem.length - mostEndings));
  const endings = words
    .beginningWith(beginning, mostLookedAt)
    .filter(({ term }) => term !== stem && isEnding(term, stem));
  const found = endings.length > 0 || lines > 0 ? endings : slips(stem, words);
  return found
    .toSorted((a, b) => a.lines - b.lines || (a.term < b.term ? -1 : 1))
    .slice(0, mostAlike)
    .map(({ term, lines: count }) => ({ stem: term, share: alikeShare, lines: count }));
}

function isEnding(term: string, stem: string): boolean {
  const longer = Math.max(term.length, stem.length);
  const common = longer - mostEndings;
  return (
    Math.abs(term.length - stem.length) <= mostEndings && term.slice(0, common) === stem.slice(0, common)
  );
}

/** For an unknown word: known words that differ by one letter. */
function slips(stem: string, words: WordReader): Array<{ term: string; lines: number }> {
  return words
    .beginningWith(stem.slice(0, 2), mostLookedAt)
    .filter(({ term }) => Math.abs(term.length - stem.length) <= 1 && distance(term, stem) === 1);
}

function pairsFrom(character: string, words: WordReader): WeighedTerm["forms"] {
  return words
    .beginningWith(character, mostAlike * 8)
    .map(({ term, lines }) => ({ stem: term, share: 1, lines }));
}
