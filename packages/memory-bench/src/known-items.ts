/** Questions that are made of the lines themselves: the rarest words of one, which should find it again. */
import type { BenchDoc, BenchQuestion } from "./bench-set.ts";

export const knownItem = "known-item";

const wordsAsked = 3;

/** At most `count`, spread evenly over the lines with enough words; deterministic. */
export function knownItemQuestions(docs: readonly BenchDoc[], count: number): BenchQuestion[] {
  const wordsOf = wordReader();
  const all = docs.map((doc) => ({ doc, words: wordsOf(doc.text) }));
  const occurrences = new Map<string, number>();
  for (const { words } of all)
    for (const word of words) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);

  const rarity = (word: string): number => occurrences.get(word) ?? 0;
  const able = all.filter(({ words }) => words.length > wordsAsked);
  return spread(able, count).map(({ doc, words }, at) => {
    const rarest = new Set(
      words.toSorted((a, b) => rarity(a) - rarity(b) || b.length - a.length).slice(0, wordsAsked),
    );
    return {
      id: `${knownItem}-${at + 1}`,
      text: words.filter((word) => rarest.has(word)).join(" "),
      category: knownItem,
      relevant: [doc.id],
    };
  });
}

/** Each word once, in its order. Chinese has no blanks between words: the system's own tables know them. */
function wordReader(): (text: string) => string[] {
  const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
  return (text) => [
    ...new Set(
      [...segmenter.segment(text.toLowerCase())]
        .filter(({ segment, isWordLike }) => isWordLike && (segment.length > 2 || isChinese(segment)))
        .map(({ segment }) => segment),
    ),
  ];
}

const isChinese = (word: string): boolean => /^\p{Script=Han}{2,}$/u.test(word);

function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}
