/** What days and names have taken, as figures and as shapes to draw. */
import type { UsageDayView } from "@pincer/sdk";

export type Metric = "cost" | "tokens";

export interface KeySum {
  key: string;
  calls: number;
  failures: number;
  unpriced: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  tokens: number;
  cost: number;
}

const none = (key: string): KeySum => ({
  key,
  calls: 0,
  failures: 0,
  unpriced: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  tokens: 0,
  cost: 0,
});

/** The sums of each name, the most expensive first, then the most used. */
export function sumByKey(days: readonly UsageDayView[]): KeySum[] {
  const sums = new Map<string, KeySum>();
  for (const day of days) sums.set(day.key, plus(sums.get(day.key) ?? none(day.key), day));
  return [...sums.values()].sort(
    (one, other) => other.cost - one.cost || other.tokens - one.tokens || (one.key < other.key ? -1 : 1),
  );
}

export const sumOf = (days: readonly UsageDayView[]): KeySum => days.reduce(plus, none(""));

const plus = (sum: KeySum, day: UsageDayView): KeySum => ({
  key: sum.key,
  calls: sum.calls + day.calls,
  failures: sum.failures + day.failures,
  unpriced: sum.unpriced + day.unpriced,
  input: sum.input + day.input,
  output: sum.output + day.output,
  cacheRead: sum.cacheRead + day.cacheRead,
  cacheWrite: sum.cacheWrite + day.cacheWrite,
  tokens: sum.tokens + day.total,
  cost: sum.cost + day.cost,
});

/** How much of what was asked came from a cache, 0 to 1; undefined where nothing was asked. */
export function cacheShare({ input, cacheRead, cacheWrite }: Omit<KeySum, "key">): number | undefined {
  const asked = input + cacheRead + cacheWrite;
  return asked === 0 ? undefined : cacheRead / asked;
}

/** The last `count` days up to and with `today`, oldest first, as `YYYY-MM-DD`. */
export function lastDays(today: string, count: number): string[] {
  const end = Date.parse(`${today}T00:00:00.000Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

export interface Stack {
  day: string;
  total: number;
  /** From the bottom up, in the order of the series; what has nothing that day is left out. */
  pieces: Array<{ series: number; value: number; from: number }>;
}

export interface Stacks {
  /** The names that have a colour of their own. */
  series: string[];
  /** Whether the last series stands for all other names. */
  hasOthers: boolean;
  days: Stack[];
  highest: number;
}

/** As many names as can be told apart by colour; the rest is one. */
const mostSeries = 6;

export function stackDays(
  days: readonly UsageDayView[],
  { metric, range }: { metric: Metric; range: readonly string[] },
): Stacks {
  const valueOf = (day: { cost: number; total: number }) => (metric === "cost" ? day.cost : day.total);
  const names = sumByKey(days)
    .sort((one, other) => (metric === "cost" ? other.cost - one.cost : other.tokens - one.tokens))
    .map(({ key }) => key);
  const hasOthers = names.length > mostSeries;
  const series = hasOthers ? names.slice(0, mostSeries - 1) : names;
  const seriesOf = new Map(series.map((key, index) => [key, index]));
  const stacks = range.map((day): Stack => {
    const values = Array.from({ length: series.length + (hasOthers ? 1 : 0) }, () => 0);
    for (const each of days) {
      if (each.day !== day) continue;
      const index = seriesOf.get(each.key) ?? series.length;
      values[index] = (values[index] ?? 0) + valueOf(each);
    }
    let from = 0;
    const pieces = values.flatMap((value, index) => {
      const piece = { series: index, value, from };
      from += value;
      return value > 0 ? [piece] : [];
    });
    return { day, total: from, pieces };
  });
  return { series, hasOthers, days: stacks, highest: Math.max(0, ...stacks.map(({ total }) => total)) };
}

/** Round values from zero to above the highest, at which a line is drawn. */
export function valueTicks(highest: number, most = 4): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999_999) ?? rough;
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

export interface ChartBox {
  width: number;
  height: number;
  left: number;
  bottom: number;
  top: number;
  right: number;
}

export interface Bar {
  x: number;
  width: number;
  pieces: Array<{ series: number; value: number; y: number; height: number }>;
}

/** Where each day and each of its pieces is drawn, in the units of the box. */
export function layBars(stacks: readonly Stack[], box: ChartBox, top: number): Bar[] {
  const slot = (box.width - box.left - box.right) / Math.max(stacks.length, 1);
  const gap = Math.min(slot * 0.25, 6);
  const tall = box.height - box.bottom - box.top;
  const scale = (value: number) => (value / top) * tall;
  return stacks.map(({ pieces }, index) => ({
    x: box.left + index * slot + gap / 2,
    width: Math.max(slot - gap, 1),
    pieces: pieces.map(({ series, value, from }) => ({
      series,
      value,
      y: box.top + tall - scale(from + value),
      height: scale(value),
    })),
  }));
}

/** The days whose names fit below the bars. */
export function dayLabels(range: readonly string[], most: number): number[] {
  const every = Math.max(1, Math.ceil(range.length / most));
  return range.flatMap((_, index) => ((range.length - 1 - index) % every === 0 ? [index] : []));
}
