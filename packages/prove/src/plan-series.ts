/** Which cuts are made: the matrix of points, hits and deeds, dealt out to series. */
import { losses, type Cut, type FailpointCut } from "./cut.ts";
import { isWrite } from "./failpoints.ts";
import type { PointCount } from "./lives.ts";
import { createRandom, type Random } from "./random.ts";
import type { SeriesPlan } from "./run-series.ts";
import { hostileNetworks, hostileSpeed } from "./scenario.ts";

export interface MatrixWishes {
  /** The least number of runs. */
  runs: number;
  seed: number;
  /** The points that lives without cuts pass, and how often. */
  counts: Record<string, PointCount>;
  /** Whether the system calls of the process can be tampered with. */
  hasTracer: boolean;
}

/** Lives that pass as many different points as can be, for finding out which there are. */
export const recordingCuts: readonly Cut[] = [
  { type: "none" },
  { type: "failpoint", action: "kill", point: "channel.plain.send:taken", hit: 1, early: false },
  { type: "none" },
  { type: "failpoint", action: "kill", point: "channel.queryable.send:before", hit: 1, early: false },
  { type: "hostile", fault: "close-after" },
  { type: "failpoint", action: "kill", point: "channel.editing.edit:before", hit: 1, early: false },
  { type: "none" },
];

export const usualSpeed = 10;
const cutsPerSeries = 20;

export function planMatrix(wishes: MatrixWishes): SeriesPlan[] {
  const random = createRandom(wishes.seed);
  const series: SeriesPlan[] = [
    plan(
      Object.keys(hostileNetworks).map((fault) => ({ type: "hostile", fault })),
      hostileSpeed,
    ),
    plan([{ type: "poison" }, { type: "none" }], hostileSpeed),
  ];
  const left = wishes.runs - series.reduce((sum, { cuts }) => sum + cuts.length, 0);
  // The first round is never cut short: it visits every point.
  const cuts = roundOf(wishes, random, 1);
  for (let round = 2; cuts.length < left; round++) {
    cuts.push(...roundOf(wishes, random, round).slice(0, left - cuts.length));
  }
  series.push(...chunk(cuts, usualSpeed));
  return series.map((each, index) => ({ ...each, seed: wishes.seed + index }));
}

/** This many of the planned runs, from series that the seed draws; each is cut short once the others have enough. */
export function sampleSeries(plans: readonly SeriesPlan[], runs: number, seed: number): SeriesPlan[] {
  const drawn: SeriesPlan[] = [];
  let left = runs;
  for (const plan of createRandom(seed).shuffle(plans)) {
    if (left <= 0) break;
    drawn.push({ ...plan, cuts: plan.cuts.slice(0, left) });
    left -= plan.cuts.length;
  }
  return drawn;
}

/** More tries at points that no cut has hit: the first time that they are passed, at work and while healing what leads there. */
export function planMissed(points: readonly string[], seed: number): SeriesPlan[] {
  const cuts = points.flatMap((point): Cut[] => {
    const kill = { type: "failpoint", action: "kill", hit: 1 } as const;
    return [
      { ...kill, point, early: false, under: troubleFor(point) },
      { ...kill, point: leadsTo(point), early: false },
      { ...kill, point, early: true },
    ];
  });
  return chunk(cuts, usualSpeed).map((each, index) => ({ ...each, seed: seed + index }));
}

/** A network under which the point is passed, where one is needed. */
const troubleFor = (point: string) => (point.startsWith("outbox.retryAt") ? "500" : "close-after");

/** A cut there leaves behind what is passed only while it is healed: an unknown outcome, or a message that nobody has looked at. */
function leadsTo(point: string): string {
  const account = /^channel\.(queryable|editing)\./.exec(point)?.[1] ?? "plain";
  return point.startsWith("inbox.") ? "inbox.accept:after" : `channel.${account}.send:taken`;
}

const chunk = (cuts: readonly Cut[], speed: number): SeriesPlan[] =>
  Array.from({ length: Math.ceil(cuts.length / cutsPerSeries) }, (_, index) =>
    plan(calm(cuts.slice(index * cutsPerSeries, (index + 1) * cutsPerSeries)), speed),
  );

const plan = (cuts: Cut[], speed: number): SeriesPlan => ({ seed: 0, cuts, speed });

/** Every point once with a kill, each kind of trouble at some, and as many kills at any moment; trouble of every kind all along. */
function roundOf(wishes: MatrixWishes, random: Random, round: number): Cut[] {
  const cuts = random.shuffle(pointCuts(wishes, random, round));
  const troubles = Array.from({ length: Math.ceil(cuts.length / cutsPerTrouble) });
  let kinds: Cut[] = [];
  return troubles.flatMap((_, index) => {
    if (kinds.length === 0) kinds = random.shuffle(troubleCuts(random));
    const trouble = kinds.pop();
    const between = cuts.slice(index * cutsPerTrouble, (index + 1) * cutsPerTrouble);
    return trouble ? [...between, trouble] : between;
  });
}

/** So that a sample of a few dozen runs meets most kinds of it. */
const cutsPerTrouble = 6;

/** One of each kind that takes more than a kill. */
function troubleCuts(random: Random): Cut[] {
  const day = 24 * 60;
  const minutes = () => random.pick([-1, 1]) * random.pick([2, 30, 90, day, 3 * day]);
  const hang = () => random.pick(Object.keys(hostileNetworks).filter((name) => /^(hang|late)-\d/.test(name)));
  return [
    { type: "disk" },
    { type: "damage", part: random.pick(["page", "page", "log", "root"]) },
    { type: "lose", how: random.pick(losses) },
    { type: "restore", held: random.pick(["retry", "drop"]) },
    { type: "clock", minutes: minutes(), early: random.chance(0.3) },
    { type: "hostile", fault: hang() },
  ];
}

function pointCuts({ counts, hasTracer }: MatrixWishes, random: Random, round: number): Cut[] {
  const points = Object.keys(counts);
  const cutAt = (point: string, action: FailpointCut["action"]): Cut => {
    const { healing = 0, working = 0 } = counts[point] ?? {};
    // What only a start passes must be armed from the first moment on.
    const isEarly = working === 0 || (healing > 0 && random.chance(0.2));
    const most = Math.max(1, Math.min(isEarly ? healing : working, 1 + round));
    return { type: "failpoint", action, point, hit: random.between(1, most), early: isEarly };
  };
  const early = () => random.chance(0.2);
  const cuts = points.map((point) => cutAt(point, "kill"));
  for (const point of points.filter(isWrite)) cuts.push(cutAt(point, "full"));
  for (const point of points.filter(isWrite)) if (random.chance(0.25)) cuts.push(cutAt(point, "eio"));
  if (counts["sync:before"]) for (let time = 0; time < 6; time++) cuts.push(cutAt("sync:before", "eio"));
  for (let time = 0; time < points.length; time++) {
    const isEarly = early();
    cuts.push(
      random.chance(0.5)
        ? { type: "after", unit: "ms", count: random.between(0, isEarly ? 250 : 100), early: isEarly }
        : { type: "after", unit: "events", count: random.between(1, 25), early: isEarly },
    );
  }
  for (let time = 0; time < 4; time++) cuts.push({ type: "file-limit", kilobytes: random.between(100, 800) });
  if (hasTracer) cuts.push(...syscallCuts(random));
  return cuts;
}

function syscallCuts(random: Random): Cut[] {
  const cuts: Cut[] = [];
  for (let time = 0; time < 8; time++) {
    cuts.push(
      { type: "syscall", action: "kill", call: "pwrite64", hit: random.between(1, 120) },
      { type: "syscall", action: "kill", call: "fdatasync", hit: random.between(1, 12) },
      { type: "syscall", action: "kill", call: "write", hit: random.between(1, 120) },
    );
  }
  for (let time = 0; time < 3; time++) {
    cuts.push(
      { type: "syscall", action: "enospc", call: "pwrite64", hit: random.between(1, 120) },
      { type: "syscall", action: "eio", call: "pwrite64", hit: random.between(1, 120) },
      { type: "syscall", action: "eio", call: "fdatasync", hit: random.between(1, 4) },
    );
  }
  return cuts;
}

/**
 * Between two cuts that may hit while the last one is being healed comes a life without one: a turn that takes the process down three
 * times is given up, and rightly so.
 */
function calm(cuts: readonly Cut[]): Cut[] {
  return cuts.flatMap((cut, index): Cut[] => {
    const before = cuts[index - 1];
    return before && hitsHealing(before) && hitsHealing(cut) ? [{ type: "none" }, cut] : [cut];
  });
}

const hitsHealing = (cut: Cut) =>
  "early" in cut ? cut.early : ["syscall", "file-limit", "damage", "lose"].includes(cut.type);
