/**
 * A home whose disk fails or lies, call by call: a sample of the points that `fault-walk.deep.test.ts` walks, as the seed draws it.
 * `PINCER_WALK=<point>` walks that one instead.
 */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { shuffled } from "../scripts/test-seed.ts";
import { formatPoint, mannersOf, parsePoint, walkedCalls } from "./fault-walk/point.ts";
import { drawPoints } from "./fault-walk/plan-walk.ts";
import { stepAt, stepFor } from "./fault-walk/walk-point.ts";
import { formatReport, openFaultWalk, type FaultWalk } from "./fault-walk/walk.ts";

const named = process.env["PINCER_WALK"];

describe("the points of a walk", () => {
  const place = fc.record({
    file: fc.constantFrom(".", "core.db-wal", "audit/anchors.jsonl"),
    at: fc.integer({ min: 1 }),
  });
  const anyPoint = fc
    .tuple(place, fc.constantFrom(...walkedCalls))
    .chain(([where, call]) =>
      fc.constantFrom(...mannersOf(call)).map((manner) => ({ call, ...where, ...manner })),
    );

  it("have names that repeat them", () => {
    fc.assert(
      fc.property(anyPoint, (point) => {
        expect(parsePoint(formatPoint(point))).toEqual(point);
      }),
    );
  });

  it("are all drawn where as many are wanted, each once", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyPoint, { selector: formatPoint }), (points) => {
        const drawn = drawPoints(points, points.length).map(formatPoint);
        expect(new Set(drawn)).toEqual(new Set(points.map(formatPoint)));
        expect(drawn).toHaveLength(points.length);
      }),
    );
  });
});

describe.skipIf(!hasProgram("strace"))("a home on a failing disk", () => {
  let walk: FaultWalk;
  beforeAll(async () => void (walk = await openFaultWalk()), 600_000);
  afterAll(() => walk?.close());

  it("is never ready in vain, leaves nobody in silence, and is limited as before", async () => {
    const drawn = [
      ...drawPoints(walk.points, 18).map(stepAt),
      ...shuffled(walk.pages, ({ name }) => name).slice(0, 2),
    ];
    const step = named === undefined ? undefined : stepFor(named);
    if (named !== undefined && !step) throw new Error(`${named} is no point of a walk`);
    const report = await walk.walk(step ? [step] : drawn);
    process.stdout.write(`${formatReport(report)}\n`);
    expect(report.violations).toEqual([]);
    expect(report.walked).toBe(step ? 1 : 20);
  }, 600_000);
});
