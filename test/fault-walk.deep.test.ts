/** Every call of a home's life fails or lies in turn, and every page of its database is damaged: `fault-walk/walk.ts`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { drawPoints } from "./fault-walk/plan-walk.ts";
import { stepAt } from "./fault-walk/walk-point.ts";
import { formatReport, openFaultWalk, type FaultWalk } from "./fault-walk/walk.ts";

/** Half an hour on two cores. All writes of the database's log would take three times as long: each seed takes others of them. */
const mostCalls = 2100;

describe.skipIf(!hasProgram("strace"))("a home on a failing disk, all the way", () => {
  let walk: FaultWalk;
  beforeAll(async () => void (walk = await openFaultWalk()));
  afterAll(() => walk?.close());

  it("is never ready in vain, leaves nobody in silence, and is limited as before", async () => {
    const report = await walk.walk([...drawPoints(walk.points, mostCalls).map(stepAt), ...walk.pages]);
    process.stdout.write(`${formatReport(report)}\n`);
    expect(report.walked).toBeGreaterThan(2000);
    expect(report.violations).toEqual([]);
  });
});
