import { offsetMinutes } from "../infra/local-time.ts";

/** Days as people in one time zone count them. */
export interface Calendar {
  /** The day of `now` and those before it, newest first, as `2026-11-15`. */
  daysUpTo(now: number, count: number): string[];
}

export function createCalendar(timezone: string): Calendar {
  return {
    daysUpTo(now, count) {
      const local = new Date(now + offsetMinutes(now, timezone) * 60_000);
      const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
      // From day to day by the calendar: not every day has 24 hours.
      const day = (back: number) => new Date(Date.UTC(year, month, date - back));
      return Array.from({ length: count }, (_, back) => day(back).toISOString().slice(0, 10));
    },
  };
}
