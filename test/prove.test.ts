import { describe, expect, it, type TestContext } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { testSeed } from "../scripts/test-seed.ts";
import { makeHome } from "./run-pincer.ts";

interface Report {
  runs: number;
  lost: number;
  silent: number;
  doubled: number;
  misordered: number;
  misrouted: number;
  lessPolicy: number;
  corrupt: number;
  troubles: Record<string, number>;
  markedRepeats: number;
  seeds: number[];
  points: { known: number; cut: number };
  failures: unknown[];
}

async function prove(
  { onTestFinished }: TestContext,
  ...args: string[]
): Promise<{ status: number | null; report: Report }> {
  const home = makeHome();
  onTestFinished(() => home.remove());
  const { status, out, err } = await home.run(["prove", "--json", ...args]);
  if (out === "") throw new Error(err);
  return { status, report: JSON.parse(out) as Report };
}

const zeros = { lost: 0, silent: 0, doubled: 0, misordered: 0, misrouted: 0, lessPolicy: 0, corrupt: 0 };

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

  it("finds a product that acknowledges before it stores", async (context) => {
    const { status, report } = await prove(context, "--plant", "ack-first", "--seed", "1");
    expect(report.lost).toBeGreaterThan(0);
    expect(status).toBe(1);
  });

  it("finds a product that takes a second delivery for a new message", async (context) => {
    const { status, report } = await prove(context, "--plant", "no-dedupe", "--seed", "1");
    expect(report.doubled).toBeGreaterThan(0);
    expect(status).toBe(1);
  });

  it("finds a product that sends before it has written that it does", async (context) => {
    const { status, report } = await prove(context, "--plant", "send-first", "--seed", "1");
    expect(report.doubled).toBeGreaterThan(0);
    expect(status).toBe(1);
  });

  it.for([
    ["tells nobody that nothing can be stored", "keep-quiet", "silent"],
    ["has no second copy of its policy", "no-policy-copy", "lessPolicy"],
    ["does after a restore what waited in the backup", "repeat-after-restore", "doubled"],
    ["takes a send that hung for one that was refused", "hang-is-refusal", "doubled"],
    ["goes on after a sync has failed", "deaf-to-sync", "corrupt"],
  ] as const)("finds a product that %s", async ([, plant, kind], context) => {
    const { status, report } = await prove(context, "--plant", plant, "--seed", "1");
    expect(report[kind]).toBeGreaterThan(0);
    expect(status).toBe(1);
  });

  it.skipIf(!hasProgram("strace"))(
    "finds a product that does not sync, by taking the power away",
    async (context) => {
      const { status, report } = await prove(context, "--plant", "no-sync", "--seed", "1", "--runs", "60");
      expect(report.lost).toBeGreaterThan(0);
      expect(status).toBe(1);
    },
  );

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
