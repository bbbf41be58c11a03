/** What counts as a word, for the index and for queries alike. */

/** Words of Latin letters in lower case, without a plural's s or an -ing; Chinese as pairs of neighbouring characters. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.toLowerCase().matchAll(/[\p{Script=Han}]+|[\p{L}\p{N}]+/gu)) {
    if (isHan(run)) words.push(...pairsOf(run));
    else words.push(baseOf(run));
  }
  return words;
}

export const isHan = (text: string): boolean => /^\p{Script=Han}/u.test(text);

function baseOf(word: string): string {
  if (/^[a-z]{3,}ing$/.test(word)) return word.slice(0, -3);
  return /^[a-z]{2,}[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
