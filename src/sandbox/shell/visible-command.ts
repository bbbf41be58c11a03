/**
 * A command as a person should see it before it runs: what is seen is what runs. Whatever has no shape of its own, turns the direction of a text or
 * looks like another letter is shown by its number, as `⟨U+202E⟩`; nothing else is changed.
 */

/** Two commands that are not the same are never shown as the same. */
export function visibleCommand(text: string): string {
  const words = text.split(wordOrRest).filter((part) => part !== "");
  const marked = words.flatMap((word) => {
    const isLookAlike = looksAlike(word);
    return Array.from(word, (character) => ({ character, isTwin: isLookAlike && !isLatin(character) }));
  });
  const shown = marked.map(({ character, isTwin }, index) => {
    const beside = [marked[index - 1]?.character ?? "", marked[index + 1]?.character ?? ""];
    return isTwin || isUnseen(character, beside) ? numberOf(character) : character;
  });
  return shown.join("").replace(emptyLines, counted).replace(wideGap, counted);
}

function isUnseen(character: string, beside: readonly string[]): boolean {
  if (character === "\n") return false;
  // The brackets as well, or a command could show what is not in it.
  if (/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}⟨⟩]/u.test(character)) return true;
  if (character !== " " && /\p{Zs}/u.test(character)) return true;
  // Wide signs are usual in texts of East Asia, and look like others anywhere else.
  return character.normalize("NFKC") !== character && !beside.some(isEastAsian);
}

const isEastAsian = (character: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character);

const isLatin = (character: string): boolean => /\p{Script=Latin}|[\p{N}_]/u.test(character);

const wordOrRest = /([\p{L}\p{M}\p{N}_]+)/u;

/** A letter of another script beside Latin ones, or a word of nothing but letters that look like Latin ones. */
function looksAlike(word: string): boolean {
  const others = word.match(/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu);
  if (others === null) return false;
  return /\p{Script=Latin}/u.test(word) || others.every((letter) => twins.has(letter));
}

const twins: ReadonlySet<string> = new Set(
  "аеорсухіјѕԁһԛԝѵАВЕКМНОРСТУХІЈЅԌԚԜҮвкмнтгοανυιρκτχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցքՕՍ",
);

/** Text after many empty lines, or a wide gap, would not be seen. */
const emptyLines = /\n{3,}/g;
const wideGap = / {40,}/g;

const counted = (run: string): string => `⟨U+${hexOf(run)} ×${run.length}⟩`;

const numberOf = (character: string): string => `⟨U+${hexOf(character)}⟩`;

const hexOf = (text: string): string =>
  (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
