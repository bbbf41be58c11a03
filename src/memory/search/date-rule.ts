/** How one way of naming days is read, and what several of them share. */
import { dayMs, monthOf, wholeMonth, wholeWeek, wholeYear, yearOf, type Span } from "./day-spans.ts";

/** `parts`: the match and its groups. No span if it was no date after all. */
export interface DateRule {
  pattern: RegExp;
  days: (parts: string[], today: number) => Span[];
}

export type DayUnit = "day" | "week" | "month" | "year";

export function dateRule(pattern: string, days: DateRule["days"]): DateRule {
  return {
    pattern: new RegExp(pattern, "giu"),
    days: (parts, today) => {
      const lower = parts.map((part) => part.toLowerCase());
      return days(lower, today);
    },
  };
}

/** The week, the month or the year that lies `on` further than today's. */
export function whole(unit: DayUnit, on: number, today: number): Span {
  if (unit === "day") return [today + on, today + on];
  if (unit === "week") return wholeWeek(today, on);
  if (unit === "month") return wholeMonth(yearOf(today), monthOf(today) + on);
  return wholeYear(yearOf(today) + on);
}

/** Roughly that long ago: half a unit on both sides. */
export function around(amount: number, unit: DayUnit, today: number): Span[] {
  if (!Number.isFinite(amount)) return [];
  const day = stepBack(amount, unit, today);
  const slack = { day: 0, week: 3, month: 15, year: 183 }[unit];
  return [[day - slack, day + slack]];
}

/** From that long ago until today. */
export function upToToday(amount: number, unit: DayUnit, today: number): Span[] {
  return Number.isFinite(amount) ? [[stepBack(amount, unit, today), today]] : [];
}

function stepBack(amount: number, unit: DayUnit, today: number): number {
  if (unit === "day" || unit === "week") return today - amount * (unit === "week" ? 7 : 1);
  const at = new Date(today * dayMs);
  const months = amount * (unit === "year" ? 12 : 1);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, at.getUTCDate()) / dayMs;
}
