/** A package of words with a few words, as the real one is laid out: numbers first among the entries, although they are not frequent. */
import fs from "node:fs/promises";
import { dirname } from "node:path";
import { localWordsFile } from "../local-package.ts";

/** By how often they are said. */
export const fewWords: Record<string, number[]> = {
  the: [0.1, 0.1, 0.1],
  dog: [1, 0.1, 0],
  puppy: [0.9, 0.2, 0],
  market: [0, 0.1, 1],
  '"': [0, 1, 0],
  café: [0, 1, 0.5],
  "2026": [0.2, 0.2, 0.2],
};

export async function writeWordsPackage(directory: string, words = fewWords): Promise<void> {
  const names = Object.keys(words).sort((a, b) => Number(a === "2026") - Number(b === "2026"));
  const vectors = Object.fromEntries(
    names.map((name, rank) => [name, [...(words[name] ?? []), Math.hypot(...(words[name] ?? [])), rank]]),
  );
  const file = localWordsFile(directory);
  await fs.mkdir(dirname(file), { recursive: true });
  const size = { size: names.length, dimensions: 3 };
  const written = {
    precision: 8,
    l2NormIndex: 3,
    wordIndex: 4,
    ...size,
    words: names,
    vectors,
    unkVector: [0, 0, 0, 0, -1],
  };
  await fs.writeFile(file, JSON.stringify(written));
}
