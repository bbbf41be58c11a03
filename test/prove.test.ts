import { describe, expect, it } from "vitest";
import { shuffled, testSeed } from "../scripts/test-seed.ts";
import { makeHome } from "./run-pincer.ts";
import { findPlant, plants, prove, zeros } from "./testing/prove.ts";

/** Hundreds of processes are started and killed; how long that takes is up to the machine. */
const longest = 600_000;

// Side by side: to see that a message is lost for good takes waiting, not work.
describe.concurrent("pincer prove", { timeout: longest }, () => {
  it("loses, silences, doubles, misorders, misroutes and damages nothing in 40 of its runs, as the seed draws them", async (context) => {
    const seed = String(1 + (testSeed % 1_000_000));
    const { status, report } = await prove(context, "--sample", "40", "--seed", seed, "--jobs", "2");
    expect(report).toMatchObject({ ...zeros, failures: [], runs: 40 });
    expect(report.points.cut).toBeGreaterThan(2);
    expect(report.seeds.length).toBeGreaterThan(2);
    expect(Object.values(report.troubles).filter((times) => times > 0).length).toBeGreaterThan(1);
    expect(status).toBe(0);
  });

  // `npm run test:deep` plants all of them.
  const drawn = shuffled(plants, ({ name }) => name).filter(({ isLong }) => !isLong);
  it.for(drawn.slice(0, 3))("finds a product that $does", async (plant, context) => {
    expect(await findPlant(context, plant)).toBe(true);
  });

  it("repeats a series exactly as a report names it, and says so when the text is none", async (context) => {
    const { status, report } = await prove(context, "--repeat", "7/10/kill@channel.plain.send:taken#1,none");
    expect(report).toMatchObject({ ...zeros, runs: 2, seeds: [7] });
    expect(status).toBe(0);
    const home = makeHome();
    context.onTestFinished(() => home.remove());
    const wrong = await home.run(["prove", "--repeat", "nonsense"]);
    expect(wrong).toMatchObject({ status: 2, out: "" });
    expect(wrong.err).toContain("nonsense");
    const unknown = await home.run(["prove", "--plant", "no-such-bug"]);
    expect(unknown).toMatchObject({ status: 2, out: "" });
    expect(unknown.err).toContain("no-such-bug");
  });
});
