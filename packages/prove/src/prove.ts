/** The whole proof: plans the matrix, runs its series side by side, and adds up what the judge says. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultKinds, type Fault, type FaultKind, type Verdict } from "./check-ledger.ts";
import type { Program } from "./child-process.ts";
import { formatCut, parseCut, troubleKinds, troubleOf, type TroubleKind } from "./cut.ts";
import { cutsAgainst, type Plant } from "./plant.ts";
import { planMatrix, planMissed, recordingCuts, sampleSeries, usualSpeed } from "./plan-series.ts";
import { provePowerLoss } from "./prove-power-loss.ts";
import { runSeries, type SeriesOutcome, type SeriesParts, type SeriesPlan } from "./run-series.ts";

export interface ProveParts {
  program: Program;
  /** What the product puts before a text that may have been sent before. */
  repeatMark: string;
  /** What the product says to people who wait, which answers nothing. */
  waitingLines?: readonly string[] | undefined;
  /** Whether strace is there. */
  hasTracer: boolean;
  signal: AbortSignal;
  onProgress?: (progress: { runs: number; planned: number; faults: number }) => void;
}

export interface ProveOptions {
  depth: "quick" | "full";
  seed: number;
  /** The minimum number. */
  runs: number;
  /** Only about this many of them, drawn by the seed. */
  sample?: number | undefined;
  /** How many processes work side by side. */
  jobs: number;
  /** Leaves the homes of series that failed where they are. */
  keep: boolean;
  plant?: Plant | undefined;
  /** Only this one, as a report named it. */
  repeat?: SeriesPlan | undefined;
}

export interface FailedSeries {
  seed: number;
  /** What `--repeat` takes; a power loss has none, since no two recordings are alike. */
  repeat?: string;
  /** Where its home was kept. */
  directory?: string;
  faults: Fault[];
}

export type ProveReport = Record<FaultKind, number> & {
  runs: number;
  markedRepeats: number;
  seeds: number[];
  /** Messages that got, instead of an answer, the line that says that it failed. */
  toldFailed: number;
  /** How many named points there are, and at how many of them the process was cut. */
  points: { known: number; cut: number; missed: string[] };
  powerLosses: number;
  /** How often each kind of trouble happened, beside plain kills. */
  troubles: Record<TroubleKind, number>;
  failures: FailedSeries[];
  seconds: number;
  /** Stopped by the user before its end. */
  interrupted: boolean;
  ok: boolean;
};

/** Never throws for what the product does; an interruption ends it with what was found so far. */
export async function prove(parts: ProveParts, options: ProveOptions): Promise<ProveReport> {
  const began = performance.now();
  const root = await mkdtemp(join(tmpdir(), "pincer-prove-"));
  const sum = createSum();
  const known = new Set<string>();
  let planned = options.repeat ? options.repeat.cuts.length : options.runs;
  let runs = 0;
  const stopper = new AbortController();
  const signal = AbortSignal.any([parts.signal, stopper.signal]);
  const seriesParts = (name: string): SeriesParts => ({
    directory: join(root, name),
    program: parts.program,
    repeatMark: parts.repeatMark,
    ...(parts.waitingLines && { waitingLines: parts.waitingLines }),
    signal,
    onRun() {
      runs++;
      parts.onProgress?.({ runs, planned: Math.max(planned, runs), faults: sum.faultCount() });
    },
  });

  async function run(plan: SeriesPlan): Promise<SeriesOutcome> {
    const own = seriesParts(`s${plan.seed}`);
    const outcome = await runSeries(own, plan);
    for (const point of Object.keys(outcome.counts)) known.add(point);
    const isClean = sum.add(outcome.verdict, {
      seed: plan.seed,
      repeat: formatSeries(plan),
      ...(options.keep ? { directory: own.directory } : {}),
    });
    sum.reach(outcome.reached);
    if (isClean || !options.keep) await rm(own.directory, { recursive: true, force: true });
    // A planted bug that was found has been found.
    if (!isClean && options.plant) stopper.abort();
    return outcome;
  }

  async function runPowerLosses(seed: number, cuts: number): Promise<void> {
    const own = seriesParts(`p${seed}`);
    const wishes = { seed, cuts, speed: usualSpeed, plant: options.plant };
    await provePowerLoss(own, wishes, ({ cut, verdict }) => {
      sum.losePower();
      const kept = options.keep ? { directory: own.directory } : {};
      const faults = verdict.faults.map(({ kind, detail }) => ({
        kind,
        detail: `${detail} (power loss before line ${cut})`,
      }));
      const isClean = sum.add({ ...verdict, faults }, { seed, ...kept });
      // The next one would be built over what is to be kept; and a planted bug that was found has been found.
      return isClean || (!options.keep && options.plant === undefined);
    });
    if (!options.keep) await rm(own.directory, { recursive: true, force: true });
  }

  async function runAll(): Promise<void> {
    if (options.repeat) return void (await run({ ...options.repeat, plant: options.plant }));
    if (options.plant === "no-sync") return runPowerLosses(options.seed, options.runs);
    const first = options.plant ? cutsAgainst(options.plant) : [...recordingCuts];
    const { counts } = await run({
      seed: options.seed,
      cuts: first,
      speed: usualSpeed,
      plant: options.plant,
    });
    // A product that does not even start gives nothing to plan with.
    if (Object.keys(counts).length === 0) return;
    const hasTracer = parts.hasTracer && options.depth === "full";
    const wishes = { runs: options.runs - runs, seed: options.seed + 1, counts, hasTracer };
    const matrix = planMatrix(wishes);
    const drawn =
      options.sample === undefined ? matrix : sampleSeries(matrix, options.sample - runs, options.seed);
    const plans = drawn.map((plan) => ({ ...plan, plant: options.plant }));
    const powerLosses = hasTracer ? Math.ceil(options.runs / 20) : 0;
    planned = runs + powerLosses + plans.reduce((total, { cuts }) => total + cuts.length, 0);
    const queue: Array<() => Promise<unknown>> = plans.map((plan) => () => run(plan));
    for (let from = 0; from < powerLosses; from += 100) {
      queue.push(() => runPowerLosses(options.seed + 100_000 + from, Math.min(100, powerLosses - from)));
    }
    await workOff(queue);
    if (options.sample !== undefined) return;
    const missed = planMissed(sum.missed(known), options.seed + plans.length + 1);
    await workOff(missed.map((plan) => () => run({ ...plan, plant: options.plant })));
  }

  async function workOff(queue: Array<() => Promise<unknown>>): Promise<void> {
    const worker = async () => {
      for (let work = queue.shift(); work; work = queue.shift()) await work();
    };
    await Promise.all(Array.from({ length: options.jobs }, worker));
  }

  try {
    await runAll();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopper.abort();
    if (!options.keep || sum.faultCount() === 0)
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
  return {
    ...sum.report(known),
    runs,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    interrupted: parts.signal.aborted,
  };
}

/** `<seed>/<speed>/<cut>,<cut>…`: everything that a series is made from. */
export const formatSeries = ({ seed, speed, cuts }: SeriesPlan): string =>
  `${seed}/${speed}/${cuts.map(formatCut).join(",")}`;

/** Undefined when the text is none. */
export function parseSeries(text: string): SeriesPlan | undefined {
  const [, seed, speed, list = ""] = /^(\d+)\/(\d+)\/(.+)$/.exec(text) ?? [];
  const cuts = list.split(",").map(parseCut);
  if (seed === undefined || !cuts.every((cut) => cut !== undefined)) return undefined;
  return { seed: Number(seed), speed: Number(speed), cuts };
}

function createSum() {
  const totals = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  const troubles = Object.fromEntries(troubleKinds.map((kind) => [kind, 0])) as Record<TroubleKind, number>;
  const failures: FailedSeries[] = [];
  const seeds = new Set<number>();
  const reached = new Set<string>();
  let markedRepeats = 0;
  let toldFailed = 0;
  let powerLosses = 0;
  const faultCount = () => faultKinds.reduce((total, kind) => total + totals[kind], 0);
  return {
    faultCount,
    /** Answers whether it is without fault. */
    add(verdict: Verdict, series: Omit<FailedSeries, "faults">): boolean {
      for (const { kind } of verdict.faults) totals[kind]++;
      markedRepeats += verdict.markedRepeats;
      toldFailed += verdict.toldFailed.length;
      seeds.add(series.seed);
      if (verdict.faults.length > 0) failures.push({ ...series, faults: verdict.faults });
      return verdict.faults.length === 0;
    },
    reach(cuts: readonly string[]) {
      for (const text of cuts) {
        reached.add(/@(.*)#/.exec(text)?.[1] ?? text);
        const cut = parseCut(text);
        const kind = cut && troubleOf(cut);
        if (kind) troubles[kind]++;
      }
    },
    losePower: () => void powerLosses++,
    /** Points at which no process was cut. */
    missed: (known: ReadonlySet<string>) => [...known].filter((point) => !reached.has(point)),
    report: (known: ReadonlySet<string>) => ({
      ...totals,
      markedRepeats,
      toldFailed,
      powerLosses,
      troubles,
      seeds: [...seeds].sort((one, other) => one - other),
      points: {
        known: known.size,
        cut: [...known].filter((point) => reached.has(point)).length,
        missed: [...known].filter((point) => !reached.has(point)).sort(),
      },
      failures,
      ok: faultCount() === 0,
    }),
  };
}
