/**
 * The days that a question mentions, in English and Chinese: "last Tuesday", "in May", "two weeks ago", "昨天", "去年五月".
 * Counted from the day of the question, in the person's time zone. A month or date without a year matches any of the
 * last years.
 */
import { offsetMinutes } from "../../infra/local-time.ts";
import { chineseDateRules } from "./chinese-dates.ts";
import { dayMs, dayName } from "./day-spans.ts";
import { englishDateRules } from "./english-dates.ts";

/** Local days as `2026-11-15`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The days, and the question without them. Never throws; without a date there are none. */
export function readDates(
  text: string,
  asked: { now: number; timezone: string },
): { ranges: DayRange[]; rest: string } {
  const today = Math.floor((asked.now + offsetMinutes(asked.now, asked.timezone) * 60_000) / dayMs);
  const ranges: DayRange[] = [];
  let rest = text;
  for (const { pattern, days } of [...chineseDateRules, ...englishDateRules])
    rest = rest.replaceAll(pattern, (...found: unknown[]) => {
      // Behind the groups come the place and the whole text.
      const parts = found.slice(0, -2).map((part) => (typeof part === "string" ? part : ""));
      const spans = days(parts, today);
      ranges.push(...spans.map(([from, to]) => ({ from: dayName(from), to: dayName(to) })));
      return spans.length > 0 ? " " : (parts[0] ?? "");
    });
  return { ranges, rest };
}
