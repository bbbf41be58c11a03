/** Days as people in one time zone count them. */
export interface Calendar {
  /** The day of `now` and those before it, newest first, as `2026-11-15`. */
  daysUpTo(now: number, count: number): string[];
}

/** Throws RangeError for a time zone that does not exist. */
export function createCalendar(timezone: string): Calendar {
  const format = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
    timeZone: timezone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  return {
    daysUpTo(now, count) {
      const parts = format.formatToParts(now);
      const of = (type: "year" | "month" | "day") => Number(parts.find((part) => part.type === type)?.value);
      // From day to day by the calendar: not every day has 24 hours.
      const day = (back: number) => new Date(Date.UTC(of("year"), of("month") - 1, of("day") - back));
      return Array.from({ length: count }, (_, back) => day(back).toISOString().slice(0, 10));
    },
  };
}
