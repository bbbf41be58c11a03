/** Amounts as people read them: money, counts, lengths of time. */

/** Dollars with as many digits as say something: `$12.30`, `$0.0123`, `$0.000004`; `~` marks an estimate. */
export function formatCost(dollars: number, { estimated = false } = {}): string {
  return `${estimated ? "~" : ""}$${dollars.toFixed(digitsFor(Math.abs(dollars)))}`;
}

function digitsFor(dollars: number): number {
  if (dollars === 0 || dollars >= 1) return 2;
  // Three digits that are not zero, at least cents, at most what a single token of a cheap model costs.
  return Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(dollars))));
}

/** With commas between thousands: the same in every language that we speak. */
export const formatCount = (count: number): string =>
  Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");

/** `0.5 s`, `90 s`, `15 min`, `2 h`: the largest unit in which it is no long fraction. */
export function formatDuration(milliseconds: number): string {
  const units = [
    [3_600_000, "h"],
    [60_000, "min"],
  ] as const;
  for (const [size, name] of units)
    if (milliseconds >= 2 * size || milliseconds === size) return `${tenths(milliseconds / size)} ${name}`;
  return `${tenths(milliseconds / 1000)} s`;
}

const tenths = (value: number): string => String(Math.round(value * 10) / 10);

/** A part of a whole in percent; nothing of nothing is nothing. */
export const formatShare = (part: number, whole: number): string =>
  `${whole > 0 ? Math.round((part / whole) * 100) : 0}%`;
