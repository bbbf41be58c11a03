/** Runs `pincer prove` in a home of its own, and the faults that can be planted to see that it finds them. */
import type { TestContext } from "vitest";
import { hasProgram } from "../../scripts/system-programs.ts";
import { makeHome } from "../run-pincer.ts";

export interface Report {
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

export const zeros = {
  lost: 0,
  silent: 0,
  doubled: 0,
  misordered: 0,
  misrouted: 0,
  lessPolicy: 0,
  corrupt: 0,
};

export async function prove(
  { onTestFinished }: TestContext,
  ...args: string[]
): Promise<{ status: number | null; report: Report }> {
  const home = makeHome();
  onTestFinished(() => home.remove());
  const { status, out, err } = await home.run(["prove", "--json", ...args]);
  if (out === "") throw new Error(err);
  return { status, report: JSON.parse(out) as Report };
}

export interface Plant {
  /** What a product with it does. */
  does: string;
  name: string;
  /** What the proof calls it. */
  kind: keyof typeof zeros;
  runs?: number;
  /** Found after many runs: for the deep run alone. */
  isLong?: true;
}

const everywhere: readonly Plant[] = [
  { does: "acknowledges before it stores", name: "ack-first", kind: "lost" },
  { does: "takes a second delivery for a new message", name: "no-dedupe", kind: "doubled" },
  { does: "sends before it has written that it does", name: "send-first", kind: "doubled" },
  { does: "tells nobody that nothing can be stored", name: "keep-quiet", kind: "silent" },
  { does: "has no second copy of its policy", name: "no-policy-copy", kind: "lessPolicy" },
  { does: "does after a restore what waited in the backup", name: "repeat-after-restore", kind: "doubled" },
  {
    does: "takes a send that hung for one that was refused",
    name: "hang-is-refusal",
    kind: "doubled",
    isLong: true,
  },
  { does: "goes on after a sync has failed", name: "deaf-to-sync", kind: "corrupt" },
];

/** Found by taking the power away, which takes strace. */
const withStrace: readonly Plant[] = [
  { does: "does not sync", name: "no-sync", kind: "lost", runs: 60, isLong: true },
];

export const plants: readonly Plant[] = [...everywhere, ...(hasProgram("strace") ? withStrace : [])];

export async function findPlant(context: TestContext, { name, kind, runs }: Plant): Promise<boolean> {
  const enough = runs === undefined ? [] : ["--runs", String(runs)];
  const { status, report } = await prove(context, "--plant", name, "--seed", "1", ...enough);
  return report[kind] > 0 && status === 1;
}
