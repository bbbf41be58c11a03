import { expect, it } from "vitest";
import { formatCut, troubleKinds, troubleOf, type Cut } from "./cut.ts";
import { planMatrix, planMissed, sampleSeries } from "./plan-series.ts";

const counts = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => `store${index % 8}.verb${index}`).flatMap((verb) => [
    [`${verb}:before`, { healing: 2, working: 4 }],
    [`${verb}:after`, { healing: 2, working: 4 }],
  ]),
);
const wishes = {
  runs: 300,
  seed: 5,
  counts: {
    ...counts,
    "sync:before": { healing: 3, working: 9 },
    "start:before": { healing: 1, working: 0 },
  },
  hasTracer: false,
};
const cutsOf = (runs: number, hasTracer = false) =>
  planMatrix({ ...wishes, runs, hasTracer }).flatMap(({ cuts }) => cuts);

it("kills at every point at least once, however few runs are wanted", () => {
  const killed = new Set(
    cutsOf(1).flatMap((cut) => (cut.type === "failpoint" && cut.action === "kill" ? [cut.point] : [])),
  );
  expect([...killed].sort()).toEqual(Object.keys(wishes.counts).sort());
});

it("plans as many runs as are wanted, and few more", () => {
  for (const runs of [500, 2000]) {
    const planned = cutsOf(runs).length;
    expect(planned).toBeGreaterThanOrEqual(runs);
    expect(planned).toBeLessThan(runs * 1.1 + 10);
  }
});

it("draws as many runs as a sample wants, by its seed, and all series come in turn", () => {
  const plans = planMatrix(wishes);
  const lengths = [1, 33, 60].map((runs) =>
    sampleSeries(plans, runs, 5).reduce((sum, { cuts }) => sum + cuts.length, 0),
  );
  expect(lengths).toEqual([1, 33, 60]);
  expect(sampleSeries(plans, 33, 5)).toEqual(sampleSeries(plans, 33, 5));
  const seeds = Array.from({ length: 100 }, (_, seed) => sampleSeries(plans, 33, seed)).flat();
  expect(new Set(seeds.map(({ seed }) => seed))).toEqual(new Set(plans.map(({ seed }) => seed)));
});

it("plans the same for the same seed, with seeds that follow on one another", () => {
  expect(planMatrix(wishes)).toEqual(planMatrix(wishes));
  expect(planMatrix(wishes)).not.toEqual(planMatrix({ ...wishes, seed: 6 }));
  expect(planMatrix(wishes).map(({ seed }) => seed)).toEqual(planMatrix(wishes).map((_, index) => 5 + index));
});

it("fills the disk, breaks the sync, limits files, poisons and lets networks misbehave", () => {
  const kinds = new Set(cutsOf(300).map((cut) => ("action" in cut ? `${cut.type} ${cut.action}` : cut.type)));
  for (const kind of ["failpoint full", "failpoint eio", "after", "file-limit", "poison", "hostile"]) {
    expect(kinds).toContain(kind);
  }
  expect(kinds).not.toContain("syscall kill");
});

it("meets trouble of every kind all along, so that a sample meets most kinds of it", () => {
  const plans = planMatrix(wishes);
  const met = Array.from({ length: 50 }, (_, seed) => {
    const cuts = sampleSeries(plans, 33, seed).flatMap((plan) => plan.cuts);
    return new Set(cuts.flatMap((cut) => troubleOf(cut) ?? []));
  });
  for (const kind of troubleKinds) {
    expect([kind, met.filter((kinds) => kinds.has(kind)).length > 20]).toEqual([kind, true]);
  }
  expect(Math.min(...met.map((kinds) => kinds.size))).toBeGreaterThanOrEqual(3);
});

it("arms from the first moment on what only a start passes", () => {
  const starts = cutsOf(2000).filter((cut) => cut.type === "failpoint" && cut.point === "start:before");
  expect(starts.length).toBeGreaterThan(1);
  for (const cut of starts) expect(cut).toMatchObject({ early: true, hit: 1 });
});

it("tries points that were missed again, at work and after a cut that leads there", () => {
  const cuts = planMissed(["channel.editing.query:before"], 9).flatMap((plan) => plan.cuts);
  expect(cuts.map(formatCut).slice(0, 3)).toEqual([
    "kill@channel.editing.query:before#1+close-after",
    "kill@channel.editing.send:taken#1",
    "early:kill@channel.editing.query:before#1",
  ]);
});

it("tampers with system calls only where it can", () => {
  const calls = cutsOf(300, true).flatMap((cut) => (cut.type === "syscall" ? [formatCut(cut)] : []));
  for (const start of ["kill@pwrite64", "kill@fdatasync", "kill@write", "enospc@pwrite64", "eio@fdatasync"]) {
    expect(calls.some((text) => text.startsWith(start))).toBe(true);
  }
});

it("never cuts twice in a row while the product heals: three times would rightly be a dead letter", () => {
  const hitsHealing = (cut: Cut | undefined) =>
    cut !== undefined && ("early" in cut ? cut.early : cut.type === "syscall" || cut.type === "file-limit");
  for (const { cuts } of planMatrix({ ...wishes, runs: 3000, hasTracer: true })) {
    expect(cuts.some((cut, index) => hitsHealing(cut) && hitsHealing(cuts[index - 1]))).toBe(false);
  }
});
