/** Days as they are named in English. */
import { around, dateRule, upToToday, whole, type DateRule, type DayUnit } from "./date-rule.ts";
import { amount, monthNames, monthNumber, weekdayNames, weekdayNumber } from "./date-words.ts";
import {
  date,
  inAnyYear,
  monthOf,
  weekdayOf,
  wholeMonth,
  wholeWeek,
  wholeYear,
  yearOf,
  type Span,
} from "./day-spans.ts";

const month = `(${monthNames.join("|")})`;
const weekday = `(${weekdayNames.join("|")})`;
const count = String.raw`(\d{1,3}|a few|a couple of|a couple|an|a|one|two|three|four|five|six|seven|eight|nine|ten)`;
const unit = "(day|week|month|year)s?";
const seasons = ["winter", "spring", "summer", "autumn", "fall"];

/** More words first: a shorter rule would take a part of them. */
export const englishDateRules: DateRule[] = [
  dateRule(String.raw`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=\D|$)`, ([, y, m, d]) =>
    date(Number(y), Number(m), Number(d)),
  ),
  dateRule(String.raw`\b(\d{4})[-/](\d{2})\b`, ([, y, m]) => monthIn(Number(y), Number(m))),
  dateRule(String.raw`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\.?,? (\d{4})\b`, ([, d, m = "", y]) =>
    date(Number(y), monthNumber(m), Number(d)),
  ),
  dateRule(String.raw`\b${month}\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`, ([, m = "", d, y]) =>
    date(Number(y), monthNumber(m), Number(d)),
  ),
  dateRule(String.raw`\b${month}\.?,? (?:of )?(\d{4})\b`, ([, m = "", y]) =>
    monthIn(Number(y), monthNumber(m)),
  ),
  dateRule(String.raw`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\b`, ([, d, m = ""], today) =>
    inAnyYear(today, (year) => date(year, monthNumber(m), Number(d))),
  ),
  dateRule(String.raw`\b${month}\.? (\d{1,2})(?:st|nd|rd|th)?\b`, ([, m = "", d], today) =>
    inAnyYear(today, (year) => date(year, monthNumber(m), Number(d))),
  ),
  dateRule(String.raw`\b(last|this|next) ${month}\b`, ([, which = "", m = ""], today) => {
    const ahead = monthNumber(m) - monthOf(today);
    const year =
      yearOf(today) + (which === "last" && ahead >= 0 ? -1 : which === "next" && ahead <= 0 ? 1 : 0);
    return [wholeMonth(year, monthNumber(m))];
  }),
  // `may` and `march` are words of their own: a month needs a word before it that says so.
  dateRule(String.raw`\b(?:in|during|since|until|early|late|mid|of) ${month}\b`, ([, m = ""], today) =>
    inAnyYear(today, (year) => [wholeMonth(year, monthNumber(m))]),
  ),
  dateRule(String.raw`\b(last|this|next) (${seasons.join("|")})\b`, ([, which = "", season = ""], today) => {
    const [first, last] = seasonIn(yearOf(today), season);
    if (which !== "last") return [seasonIn(yearOf(today) + onward(which), season)];
    return [last < today ? [first, last] : seasonIn(yearOf(today) - 1, season)];
  }),
  dateRule(String.raw`\b(?:the )?day before yesterday\b`, (_, today) => [[today - 2, today - 2]]),
  dateRule(String.raw`\b(?:yesterday|last night)\b`, (_, today) => [[today - 1, today - 1]]),
  dateRule(String.raw`\b(?:today|tonight|this (?:morning|afternoon|evening))\b`, (_, today) => [
    [today, today],
  ]),
  dateRule(String.raw`\btomorrow\b`, (_, today) => [[today + 1, today + 1]]),
  dateRule(String.raw`\b${count} ${unit} ago\b`, ([, n = "", of = ""], today) =>
    around(amount(n), unitNamed(of), today),
  ),
  dateRule(
    String.raw`\b(?:in |over |during )?the (?:last|past) ${count} ${unit}\b`,
    ([, n = "", of = ""], today) => upToToday(amount(n), unitNamed(of), today),
  ),
  dateRule(String.raw`\b(last|this|past|next) weekend\b`, ([, which = ""], today) => {
    const [monday] = wholeWeek(today, onward(which));
    return [[monday + 4, monday + 6]];
  }),
  dateRule(String.raw`\b(last|this|past|next) (week|month|year)\b`, ([, which = "", of = ""], today) => [
    whole(unitNamed(of), onward(which), today),
  ]),
  dateRule(String.raw`\b(last|this|past|next|on) ${weekday}s?\b`, ([, which = "", name = ""], today) => {
    const ahead = weekdayNumber(name) - weekdayOf(today);
    const day =
      today + (which === "next" ? ahead + 7 : which === "this" ? ahead : ahead >= 0 ? ahead - 7 : ahead);
    return [[day, day]];
  }),
  dateRule(String.raw`\b(?:in |during |of |year )?((?:19|20)\d{2})\b(?!s)`, ([, y]) => [
    wholeYear(Number(y)),
  ]),
];

function onward(which: string): number {
  return which === "next" ? 1 : which === "this" ? 0 : -1;
}

function monthIn(year: number, month: number): Span[] {
  return month >= 1 && month <= 12 ? [wholeMonth(year, month)] : [];
}

/** Northern months; winter begins in the December before. */
function seasonIn(year: number, season: string): Span {
  const first = { winter: 0, spring: 3, summer: 6 }[season] ?? 9;
  return [wholeMonth(year, first)[0], wholeMonth(year, first + 2)[1]];
}

function unitNamed(name: string): DayUnit {
  return name === "week" || name === "month" || name === "year" ? name : "day";
}
