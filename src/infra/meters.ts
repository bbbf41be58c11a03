/**
 * Counters, gauges and histograms of one process, read as a whole. What is counted may be named by callers (a route, a model), so the number
 * of names is bounded: beyond the bound a new one is counted as `other`, and memory does not grow.
 */
export interface MeterShape {
  /** As Prometheus wants it: `pincer_turns_total`. */
  name: string;
  help: string;
  labels?: readonly string[];
}

export interface Counter {
  /** Values stand in the order of the labels. Never throws; what is no amount, or a negative one, counts as nothing. */
  add(amount: number, ...values: string[]): void;
}

export interface Gauge {
  /** Takes the place of all that it said before. */
  set(readings: ReadonlyArray<{ value: number; values?: readonly string[] }>): void;
}

export interface Histogram {
  /** Values stand in the order of the labels. Never throws; what is no number counts as nothing. */
  observe(amount: number, ...values: string[]): void;
}

export interface AmountSeries {
  values: readonly string[];
  value: number;
}

export interface HistogramSeries {
  values: readonly string[];
  /** How many fell into each bucket alone; the last is for all beyond the last bound. */
  counts: readonly number[];
  sum: number;
}

export type MeterFamily = { name: string; help: string; labels: readonly string[] } & (
  | { type: "counter" | "gauge"; series: AmountSeries[] }
  | { type: "histogram"; bounds: readonly number[]; series: HistogramSeries[] }
);

export interface Meters {
  counter(shape: MeterShape): Counter;
  gauge(shape: MeterShape): Gauge;
  /** `bounds` rise. */
  histogram(shape: MeterShape & { bounds: readonly number[] }): Histogram;
  /** Everything as it is now, in the order in which it was declared. A copy: it does not change any more. */
  read(): MeterFamily[];
}

/** Maximum number of values per label. */
const mostValues = 200;
/** Maximum number of series of a meter with several labels. */
const mostSeries = 1000;
const longestValue = 120;
const other = "other";

export function createMeters(): Meters {
  const families: Array<() => MeterFamily> = [];
  return {
    counter({ name, help, labels = [] }) {
      const series = createSeries(labels, (values) => ({ values, value: 0 }));
      families.push(() => ({ name, help, labels, type: "counter", series: series.all().map(copyAmount) }));
      return {
        add(amount, ...values) {
          if (amount > 0 && Number.isFinite(amount)) series.of(values).value += amount;
        },
      };
    },
    gauge({ name, help, labels = [] }) {
      let series: AmountSeries[] = [];
      families.push(() => ({ name, help, labels, type: "gauge", series: series.map(copyAmount) }));
      return {
        set(readings) {
          series = readings
            .slice(0, mostSeries)
            .map(({ value, values = [] }) => ({ value, values: values.map(cut) }));
        },
      };
    },
    histogram({ name, help, labels = [], bounds }) {
      const series = createSeries(labels, (values) => ({
        values,
        counts: Array.from({ length: bounds.length + 1 }, () => 0),
        sum: 0,
      }));
      families.push(() => ({
        name,
        help,
        labels,
        type: "histogram",
        bounds,
        series: series.all().map(({ values, counts, sum }) => ({ values, counts: [...counts], sum })),
      }));
      return {
        observe(amount, ...values) {
          if (!Number.isFinite(amount)) return;
          const one = series.of(values);
          let bucket = 0;
          while (bucket < bounds.length && amount > (bounds[bucket] ?? Infinity)) bucket++;
          one.counts[bucket] = (one.counts[bucket] ?? 0) + 1;
          one.sum += amount;
        },
      };
    },
    read: () => families.map((family) => family()),
  };
}

const copyAmount = ({ values, value }: AmountSeries): AmountSeries => ({ values, value });

/** Without labels there is one series from the beginning, so that nothing is told as nothing. */
function createSeries<Series>(labels: readonly string[], make: (values: readonly string[]) => Series) {
  const byValues = new Map<string, Series>();
  const known = labels.map(() => new Set<string>());
  if (labels.length === 0) byValues.set("", make([]));

  const isKnown = (at: number, value: string) => known[at]?.has(value) === true;
  const hasRoom = (at: number) => (known[at]?.size ?? 0) < mostValues;

  function add(given: readonly string[]): Series {
    const whole = labels.map((_label, at) => cut(given[at] ?? ""));
    const bounded = whole.map((value, at) => (isKnown(at, value) || hasRoom(at) ? value : other));
    const isRoomLeft = byValues.size < mostSeries || byValues.has(keyOf(bounded));
    const values = isRoomLeft ? bounded : labels.map(() => other);
    const found = byValues.get(keyOf(values));
    if (found) return found;
    values.forEach((value, at) => known[at]?.add(value));
    const made = make(values);
    byValues.set(keyOf(values), made);
    return made;
  }

  return {
    of: (values: readonly string[]): Series => byValues.get(keyOf(values)) ?? add(values),
    all: (): Series[] => [...byValues.values()],
  };
}

/** No value holds a zero after `cut`. */
const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? "") : values.join("\0");

const cut = (value: string): string => value.replaceAll("\0", "").slice(0, longestValue);

/** What so great a part of all stayed below, guessed within its bucket; undefined where nothing was counted. */
export function quantileOf(
  bounds: readonly number[],
  counts: readonly number[],
  part: number,
): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = part * total;
  let before = 0;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const low = at === 0 ? 0 : (bounds[at - 1] ?? 0);
      // Beyond the last bound nobody knows how far.
      const high = bounds[at] ?? low;
      return low + ((high - low) * Math.max(0, rank - before)) / count;
    }
    before += count;
  }
  return bounds.at(-1);
}
