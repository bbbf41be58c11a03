/** Searches the index of the documentation. Loaded when somebody starts to search. */
import { isHan, wordsOf } from "./words.ts";

export interface SearchIndex {
  /** Address, title, group. */
  pages: Array<[address: string, title: string, group: string]>;
  /** Number of the page, id of the heading (empty at the top), heading, how it begins. */
  sections: Array<[page: number, id: string, heading: string, lead: string]>;
  /** Of each word the sections that have it: a section's number times four and how much it says there (0…3), less the one before. */
  words: Record<string, number[]>;
  /** What a Chinese word is called in these pages. */
  chinese: Record<string, string>;
}

export interface Hit {
  address: string;
  title: string;
  group: string;
  heading: string;
  lead: string;
}

/** What it returns gives the best first. Sections that have all of the words come before those that have some of them. */
export function createSearch(index: SearchIndex): (query: string, limit?: number) => Hit[] {
  const sorted = Object.keys(index.words).sort();
  return (query, limit = 12) =>
    rank(index, sorted, askedFor(index, query))
      .slice(0, limit)
      .flatMap((section) => hitOf(index, section) ?? []);
}

/** The numbers of the sections. */
function rank(index: SearchIndex, sorted: readonly string[], asked: readonly string[][]): number[] {
  const scores = new Map<number, { score: number; found: number }>();
  asked.forEach((alternatives, at) => {
    const best = new Map<number, number>();
    for (const word of alternatives) {
      for (const [found, share] of matching(sorted, word, at === asked.length - 1)) {
        const rows = rowsOf(index.words[found] ?? []);
        const rarity = Math.log(1 + index.sections.length / rows.length);
        for (const row of rows) {
          const score = share * rarity * (weights[row & 3] ?? 1) * worth(index, row >> 2);
          if (score > (best.get(row >> 2) ?? 0)) best.set(row >> 2, score);
        }
      }
    }
    for (const [section, score] of best) {
      const so = scores.get(section) ?? { score: 0, found: 0 };
      scores.set(section, { score: so.score + score, found: so.found + 1 });
    }
  });
  return [...scores]
    .sort(([first, a], [second, b]) => b.found - a.found || b.score - a.score || first - second)
    .map(([section]) => section);
}

/** Guides explain; lists of everything are for those who look for no more than a name. */
function worth(index: SearchIndex, section: number): number {
  const group = index.pages[index.sections[section]?.[0] ?? -1]?.[2];
  return group === "Reference" || group === "Protocol" || group === "Decisions" ? 0.4 : 1;
}

function rowsOf(steps: readonly number[]): number[] {
  let row = 0;
  return steps.map((step) => (row += step));
}

/** In the text, often in the text, in the heading, in the title of the page. */
const weights = [1, 1.5, 4, 6];

/** For each thing that is asked for, the words that may stand for it. */
function askedFor(index: SearchIndex, query: string): string[][] {
  const asked: string[][] = [];
  for (const [run] of query.slice(0, 200).matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    if (!isHan(run)) asked.push(wordsOf(run));
    else {
      const known = Object.keys(index.chinese).filter((word) => run.includes(word));
      for (const word of known) asked.push([...wordsOf(index.chinese[word] ?? ""), ...wordsOf(word)]);
      if (known.length === 0) asked.push(...wordsOf(run).map((pair) => [pair]));
    }
  }
  return asked.slice(0, 12);
}

/** A word is found as a whole; the last one, which may still be typed, also as the beginning of others. */
function matching(sorted: readonly string[], word: string, isLast: boolean): Array<[string, number]> {
  const found: Array<[string, number]> = [];
  for (let at = firstNotBefore(sorted, word); at < sorted.length; at++) {
    const candidate = sorted[at] ?? "";
    if (!candidate.startsWith(word)) break;
    if (candidate === word) found.push([candidate, 1]);
    else if (word.length >= (isLast ? 2 : 4)) found.push([candidate, 0.5 * (word.length / candidate.length)]);
  }
  return found;
}

function firstNotBefore(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hitOf(index: SearchIndex, section: number): Hit | undefined {
  const [page, id, heading, lead] = index.sections[section] ?? [-1, "", "", ""];
  const found = index.pages[page];
  if (!found) return undefined;
  const [address, title, group] = found;
  return {
    address: id === "" ? address : `${address}#${encodeURIComponent(id)}`,
    title,
    group,
    heading,
    lead,
  };
}
