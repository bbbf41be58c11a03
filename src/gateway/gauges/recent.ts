/** Rates of the last minutes, from counters that only rise: the value now minus the value then. */
import { quantileOf, type HistogramSeries, type MeterFamily } from "../../infra/meters.ts";

export interface RecentHistogram {
  count: number;
  sum: number;
  /** Undefined where nothing was counted. */
  quantile(part: number): number | undefined;
}

export interface Recent {
  /** Remembers what the meters say; to be called about once a minute. */
  keep(families: readonly MeterFamily[], now: number): void;
  histogram(families: readonly MeterFamily[], name: string): RecentHistogram;
  /** Of all series that are meant. */
  counted(
    families: readonly MeterFamily[],
    name: string,
    isMeant?: (values: readonly string[]) => boolean,
  ): number;
  /** How long the stretch is, in seconds. */
  seconds(now: number): number;
}

/** Five stretches of a minute. */
const mostKept = 5;

export function createRecent(names: readonly string[], startedAt: number): Recent {
  let kept: Array<{ at: number; families: MeterFamily[] }> = [];
  const then = (name: string) => kept[0]?.families.find((family) => family.name === name);
  const now = (families: readonly MeterFamily[], name: string) => families.find((one) => one.name === name);
  return {
    keep(families, at) {
      const meant = families.filter(({ name }) => names.includes(name));
      kept = [...kept, { at, families: meant }].slice(-mostKept);
    },
    seconds: (at) => Math.max(1, (at - (kept[0]?.at ?? startedAt)) / 1000),
    histogram(families, name) {
      const [current, before] = [now(families, name), then(name)];
      const bounds = current?.type === "histogram" ? current.bounds : [];
      const [present, old] = [total(current), total(before)];
      const counts = present.counts.map((count, at) => count - (old.counts[at] ?? 0));
      return {
        count: counts.reduce((sum, count) => sum + count, 0),
        sum: present.sum - old.sum,
        quantile: (part) => quantileOf(bounds, counts, part),
      };
    },
    counted(families, name, isMeant = () => true) {
      return amount(now(families, name), isMeant) - amount(then(name), isMeant);
    },
  };
}

function total(family: MeterFamily | undefined): Pick<HistogramSeries, "counts" | "sum"> {
  if (family?.type !== "histogram") return { counts: [], sum: 0 };
  return {
    counts: Array.from({ length: family.bounds.length + 1 }, (_unused, at) =>
      family.series.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
    ),
    sum: family.series.reduce((sum, one) => sum + one.sum, 0),
  };
}

function amount(family: MeterFamily | undefined, isMeant: (values: readonly string[]) => boolean): number {
  if (!family || family.type === "histogram") return 0;
  return family.series.filter(({ values }) => isMeant(values)).reduce((sum, { value }) => sum + value, 0);
}
