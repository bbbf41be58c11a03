/** Months, weekdays and small numbers as people write them. */

/** Longer names first, so that a pattern made of them takes the whole name. */
export const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
  "jan",
  "feb",
  "mar",
  "apr",
  "jun",
  "jul",
  "aug",
  "sept",
  "sep",
  "oct",
  "nov",
  "dec",
] as const;

export const weekdayNames = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

/** From 1. 0 for what is no month. */
export function monthNumber(name: string): number {
  return monthNames.findIndex((each) => each.slice(0, 3) === name.toLowerCase().slice(0, 3)) + 1;
}

/** From 1, Monday. 0 for what is no weekday; Chinese ones by their last character. */
export function weekdayNumber(name: string): number {
  const chinese = "一二三四五六日".indexOf(name === "天" ? "日" : name) + 1;
  if (name.length === 1) return chinese;
  return weekdayNames.findIndex((each) => each === name.toLowerCase()) + 1;
}

/** `3`, `three`, `a`, `a few`, `十二`; NaN for anything else. */
export function amount(words: string): number {
  if (/^\d+$/u.test(words)) return Number(words);
  return englishAmounts.get(words.toLowerCase()) ?? chineseAmount(words);
}

const englishAmounts = new Map(
  Object.entries({
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    "a couple": 2,
    "a couple of": 2,
    "a few": 3,
  }),
);

/** Up to 99, as in `二十一`. */
function chineseAmount(characters: string): number {
  const parts = /^([一二两三四五六七八九])?(十)?([一二三四五六七八九])?$/u.exec(characters);
  if (!parts || characters === "") return Number.NaN;
  const [, tens, ten, ones] = parts;
  if (!ten) return tens && !ones ? chineseDigit(tens) : Number.NaN;
  return (tens ? chineseDigit(tens) : 1) * 10 + (ones ? chineseDigit(ones) : 0);
}

function chineseDigit(character: string): number {
  return character === "两" ? 2 : "一二三四五六七八九".indexOf(character) + 1;
}
