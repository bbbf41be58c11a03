/** Days counted from 1970, and the spans of them that calendars have names for. */

/** The first and the last day. */
export type Span = readonly [from: number, to: number];

export const dayMs = 86_400_000;

/** Not every date is one: 31 June is not. */
export function date(year: number, month: number, day: number): Span[] {
  const at = new Date(Date.UTC(year, month - 1, day));
  if (year < 1000 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return [];
  return [[at.getTime() / dayMs, at.getTime() / dayMs]];
}

/** `month` may lie outside of 1 to 12: it then belongs to a year before or after. */
export function wholeMonth(year: number, month: number): Span {
  return [Date.UTC(year, month - 1, 1) / dayMs, Date.UTC(year, month, 1) / dayMs - 1];
}

export function wholeYear(year: number): Span {
  return [Date.UTC(year, 0, 1) / dayMs, Date.UTC(year + 1, 0, 1) / dayMs - 1];
}

/** Monday to Sunday, that many weeks from the week of `day`. */
export function wholeWeek(day: number, weeksOn: number): Span {
  const monday = day - weekdayOf(day) + 1 + weeksOn * 7;
  return [monday, monday + 6];
}

/** From 1, Monday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

export function yearOf(day: number): number {
  return new Date(day * dayMs).getUTCFullYear();
}

/** From 1. */
export function monthOf(day: number): number {
  return new Date(day * dayMs).getUTCMonth() + 1;
}

/** As `2026-11-15`. */
export function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** What lies in the past or has begun, for each of the last ten years. */
export function inAnyYear(today: number, inYear: (year: number) => Span[]): Span[] {
  const years = Array.from({ length: 10 }, (_, back) => yearOf(today) - back);
  return years.flatMap(inYear).filter(([from]) => from <= today);
}
