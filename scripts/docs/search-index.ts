/** The index that the browser searches: for each word the sections that have it. */
import type { SearchIndex } from "../../web/src/docs/search.ts";
import { wordsOf } from "../../web/src/docs/words.ts";
import { chineseWords } from "./chinese-words.ts";
import type { Section } from "./render-markdown.ts";

export interface IndexedPage {
  address: string;
  title: string;
  group: string;
  sections: readonly Section[];
}

/** Words that are in nearly every section tell nothing apart. */
const commonShare = 0.4;
const leadLength = 140;

/** Pure; the same pages always give the same index. */
export function makeSearchIndex(pages: readonly IndexedPage[]): SearchIndex {
  const sections: SearchIndex["sections"] = [];
  const rows = new Map<string, number[]>();
  pages.forEach((page, pageNumber) => {
    page.sections.forEach((section, at) => {
      const number = sections.length;
      sections.push([pageNumber, section.id, at === 0 ? page.title : section.heading, leadOf(section.text)]);
      const weights = new Map<string, number>();
      const put = (words: string[], weight: number) => {
        for (const word of words) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
      };
      const said = wordsOf(section.text);
      put(said, 0);
      put(oftenIn(said), 1);
      put(wordsOf(section.heading), 2);
      put(wordsOf(page.title), at === 0 ? 3 : 1);
      if (at === 0) put(wordsOf(page.address.split("/").at(-1) ?? ""), 3);
      for (const [word, weight] of weights) {
        const list = rows.get(word) ?? [];
        list.push(number * 4 + weight);
        rows.set(word, list);
      }
    });
  });
  const isTelling = (list: readonly number[]) =>
    list.length < Math.max(8, sections.length * commonShare) || list.some((row) => (row & 3) >= 2);
  const words = [...rows].filter(([word, list]) => word.length < 40 && isTelling(list));
  return {
    pages: pages.map(({ address, title, group }) => [address, title, group]),
    sections,
    words: Object.fromEntries(
      words.sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, list]) => [word, steps(list)]),
    ),
    chinese: chineseWords,
  };
}

/** Small numbers pack better than large ones. */
const steps = (rows: readonly number[]): number[] => rows.map((row, at) => row - (rows[at - 1] ?? 0));

function oftenIn(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= 3).map(([word]) => word);
}

function leadOf(text: string): string {
  if (text.length <= leadLength) return text;
  const cut = text.slice(0, leadLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), leadLength - 20))}…`;
}
