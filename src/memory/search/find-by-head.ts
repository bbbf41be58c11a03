/** Lines by who said them or by their day, for questions that say nothing else: "what happened last Tuesday?", "what does Ann say?". */
import { dayName, dayMs } from "./day-spans.ts";
import type { DayRange } from "./dates.ts";
import type { IndexReaders } from "./find-lines.ts";
import type { Spot } from "./rank-lines.ts";

/** The newest, at most `most` of those in scope. */
export function findByHead(terms: readonly string[], { words, lines }: IndexReaders, most: number): Spot[] {
  const lineIds = [...new Set(terms.flatMap((term) => words.places(term, "head", 0)))].toSorted(
    (a, b) => b - a,
  );
  const spots: Spot[] = [];
  for (let at = 0; at < lineIds.length && spots.length < most; at += most)
    for (const { sourceId, position } of lines.placesOf(lineIds.slice(at, at + most)))
      spots.push({ sourceId, position, score: scoreByHead, covered: 1, isExact: false });
  return spots.slice(0, most);
}

/** Nothing speaks for one before another. */
const scoreByHead = 0.5;
/** No question is about more. */
const mostTerms = 400;

/** Days as terms, whole months and years as one each. */
export function headTermsOf(ranges: readonly DayRange[]): string[] {
  const terms: string[] = [];
  for (const { from, to } of ranges) {
    const last = Date.parse(to) / dayMs;
    for (let day = Date.parse(from) / dayMs; day <= last && terms.length < mostTerms;) {
      const name = dayName(day);
      const [year, month] = [Number(name.slice(0, 4)), Number(name.slice(5, 7))];
      const nextYear = Date.UTC(year + 1, 0, 1) / dayMs;
      const nextMonth = Date.UTC(year, month, 1) / dayMs;
      if (name.endsWith("-01-01") && nextYear - 1 <= last) {
        terms.push(`year${year}`);
        day = nextYear;
      } else if (name.endsWith("-01") && nextMonth - 1 <= last) {
        terms.push(`month${name.slice(0, 7).replace("-", "")}`);
        day = nextMonth;
      } else {
        terms.push(`day${name.replaceAll("-", "")}`);
        day += 1;
      }
    }
  }
  return terms;
}
