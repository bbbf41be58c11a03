import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMeters, quantileOf } from "./meters.ts";

describe("meters", () => {
  it("OBS-01 count by label and begin at nothing where there is none", () => {
    const meters = createMeters();
    const plain = meters.counter({ name: "a_total", help: "A." });
    const named = meters.counter({ name: "b_total", help: "B.", labels: ["route", "status"] });
    named.add(1, "/x", "200");
    named.add(2, "/x", "200");
    named.add(1, "/x", "500");
    expect(meters.read()).toMatchObject([
      { name: "a_total", type: "counter", series: [{ values: [], value: 0 }] },
      {
        series: [
          { values: ["/x", "200"], value: 3 },
          { values: ["/x", "500"], value: 1 },
        ],
      },
    ]);
    plain.add(Number.NaN);
    plain.add(-1);
    plain.add(Infinity);
    expect(meters.read()[0]).toMatchObject({ series: [{ value: 0 }] });
  });

  it("OBS-01 a caller who makes up names cannot make them grow", () => {
    const meters = createMeters();
    const one = meters.counter({ name: "a_total", help: "A.", labels: ["route"] });
    const two = meters.counter({ name: "b_total", help: "B.", labels: ["route", "model"] });
    for (let at = 0; at < 5000; at++) {
      one.add(1, `/made-up/${at}`);
      two.add(1, `r${at % 150}`, `m${at % 149}`);
    }
    one.add(1, "x".repeat(10_000));
    const [first, second] = meters.read();
    expect(first?.series).toHaveLength(201);
    expect(first?.series.at(-1)).toEqual({ values: ["other"], value: 4801 });
    expect(second?.series.length).toBeLessThanOrEqual(1001);
  });

  it("OBS-01 a histogram puts each amount into the first bucket that holds it", () => {
    const meters = createMeters();
    const histogram = meters.histogram({ name: "a", help: "A.", bounds: [1, 2, 4] });
    for (const amount of [0, 1, 1.5, 4, 100, Number.NaN]) histogram.observe(amount);
    expect(meters.read()).toMatchObject([{ series: [{ counts: [2, 1, 1, 1], sum: 106.5 }] }]);
  });

  it("OBS-01 what was read does not change any more", () => {
    const meters = createMeters();
    const counter = meters.counter({ name: "a_total", help: "A." });
    const [before] = meters.read();
    counter.add(1);
    expect(before).toMatchObject({ series: [{ value: 0 }] });
  });

  it("OBS-01 a gauge says only what it was told last", () => {
    const meters = createMeters();
    const gauge = meters.gauge({ name: "a", help: "A.", labels: ["channel"] });
    gauge.set([
      { value: 1, values: ["x"] },
      { value: 2, values: ["y"] },
    ]);
    gauge.set([{ value: 3, values: ["y"] }]);
    expect(meters.read()).toMatchObject([{ series: [{ values: ["y"], value: 3 }] }]);
  });

  it("OBS-01 a quantile lies in the bucket of the amount that it stands for", () => {
    const bounds = [1, 5, 10, 50, 100];
    const amountsAndPart = [
      fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
    ] as const;
    fc.assert(
      fc.property(...amountsAndPart, (amounts, part) => {
        const meters = createMeters();
        const histogram = meters.histogram({ name: "a", help: "A.", bounds });
        for (const amount of amounts) histogram.observe(amount);
        const [family] = meters.read();
        const counts = family?.type === "histogram" ? (family.series[0]?.counts ?? []) : [];
        const exact = amounts.toSorted((a, b) => a - b)[Math.ceil(part * amounts.length) - 1] ?? 0;
        const at = bounds.findIndex((bound) => exact <= bound);
        const guessed = quantileOf(bounds, counts, part) ?? -1;
        expect(guessed).toBeGreaterThanOrEqual(bounds[at - 1] ?? 0);
        expect(guessed).toBeLessThanOrEqual(bounds[at] ?? 0);
      }),
    );
  });

  it("OBS-01 nothing counted has no quantile", () => {
    expect(quantileOf([1, 2], [0, 0, 0], 0.95)).toBeUndefined();
  });
});
