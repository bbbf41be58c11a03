import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeHome, type TestHome } from "./run-pincer.ts";
import { findPlant, plants, zeros } from "./testing/prove.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe("pincer prove at length", () => {
  it("loses, doubles, misorders, misroutes and damages nothing in at least 300 runs", async () => {
    const { status, out } = await home.run(["prove", "--quick", "--jobs", "2", "--json"]);
    const report = JSON.parse(out) as { runs: number; seeds: number[]; points: { cut: number } };
    expect(report).toMatchObject({ ...zeros, failures: [] });
    expect(report.runs).toBeGreaterThanOrEqual(300);
    expect(report.points.cut).toBeGreaterThan(80);
    expect(report.seeds.length).toBeGreaterThan(10);
    expect(status).toBe(0);
  });

  it.for(plants)("finds a product that $does", async (plant, context) => {
    expect(await findPlant(context, plant)).toBe(true);
  });

  it("finds nothing in ten thousand runs, at system calls and power losses too", async () => {
    const { status, out } = await home.run(["prove", "--full", "--json"]);
    const report = JSON.parse(out) as { runs: number; failures: unknown[] };
    expect(report).toMatchObject({ ...zeros, failures: [] });
    expect(report.runs).toBeGreaterThanOrEqual(10_000);
    expect(status).toBe(0);
  });

  it("holds out 100,000 messages over 200 conversations, killed every few seconds", async () => {
    const { status, out } = await home.run(["prove", "--soak", "--json"]);
    const report = JSON.parse(out) as {
      messages: number;
      verdict: { faults: unknown[] };
      heapMbPer10k: number;
      delayMs: number;
    };
    expect(report.verdict.faults).toEqual([]);
    expect(report.messages).toBe(100_000);
    expect(report.heapMbPer10k).toBeLessThan(1);
    expect(report.delayMs).toBeLessThan(50);
    expect(status).toBe(0);
  });
});
