/**
 * One series: a home, a network, and one life of the product after the other, each cut short in its own way. Each life first heals
 * what the last cut left; at the end one is allowed to finish, and everything is judged together.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Allowances } from "./allowances.ts";
import { checkLedger, type Verdict } from "./check-ledger.ts";
import { formatCut, type Cut } from "./cut.ts";
import type { PointCount } from "./lives.ts";
import type { NetworkLedger } from "./network-ledger.ts";
import { findFlaws, makeProveHome, readEffects, readForbidden } from "./prove-home.ts";
import { findMissingPolicy } from "./prove-policy.ts";
import { createScenario, troubled, type Act, type Scenario } from "./scenario.ts";
import { openStage } from "./stage.ts";
import type { StageParts, StageWishes } from "./stage-parts.ts";

export interface SeriesPlan extends StageWishes {
  cuts: Cut[];
}

export interface SeriesParts extends Omit<StageParts, "place"> {
  /** Empty or not there; what is left in it is the caller's to remove. */
  directory: string;
  repeatMark: string;
  /** Told after each run. */
  onRun?: () => void;
}

export interface SeriesOutcome {
  plan: SeriesPlan;
  runs: number;
  verdict: Verdict;
  counts: Record<string, PointCount>;
  /** The cuts that did happen where they were meant to. */
  reached: string[];
}

/** Throws the signal's reason when it aborts; whatever the product does is in the outcome. */
export async function runSeries(parts: SeriesParts, plan: SeriesPlan): Promise<SeriesOutcome> {
  await mkdir(parts.directory, { recursive: true, mode: 0o700 });
  const scenario = createScenario(plan.seed);
  const place = await makeProveHome(parts.directory, scenario.manner);
  const stage = await openStage({ ...parts, place }, plan);
  const { network } = stage;
  const outcome = { runs: 0, reached: [] as string[] };
  try {
    for (const [index, cut] of plan.cuts.entries()) {
      parts.signal.throwIfAborted();
      const [act, ...more] = actsFor(scenario, cut, plan.seed + index);
      if (await stage.live(cut, act, ...more)) outcome.reached.push(formatCut(cut));
      outcome.runs++;
      parts.onRun?.();
      if (stage.isStuck()) break;
    }
    if (!stage.isStuck()) await stage.finish();
  } finally {
    await stage.close();
  }
  parts.signal.throwIfAborted();
  const flaws = [
    ...stage.flaws,
    ...(await findFlaws(place.home, stage.isStuck() ? "cut-short" : "finished")),
  ];
  const verdict = checkLedger({
    messages: network.ledger.messages,
    isAcknowledged: network.ledger.isAcknowledged,
    seen: network.ledger.seen,
    effects: await readEffects(place.directory),
    flaws,
    allowances: stage.allowances,
    missingPolicy: await findMissingPolicy(place.home),
    forbidden: await readForbidden(place.directory),
    repeatMark: parts.repeatMark,
    ...(parts.waitingLines && { waitingLines: parts.waitingLines }),
  });
  if (verdict.faults.length > 0) await writeNetwork(place.directory, network.ledger, stage.allowances);
  return { plan, ...outcome, verdict, counts: stage.counts };
}

/** Beside a kept home, for whoever looks into a fault: what people wrote and saw, and what was excused. */
async function writeNetwork(
  directory: string,
  { messages, seen }: NetworkLedger,
  allowances: Allowances,
): Promise<void> {
  const asArrays = (_: string, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value;
  await writeFile(
    join(directory, "network.json"),
    JSON.stringify({ messages, seen, allowances }, asArrays, 2),
  );
}

const calm = { calm: true } as const;

function actsFor(scenario: Scenario, cut: Cut, seed: number): [Act, ...Act[]] {
  switch (cut.type) {
    case "poison":
      return [scenario.next({ kind: "poison", count: 1, ...calm })];
    case "hostile":
      return [troubled(scenario.next({ count: 8, ...calm }), cut.fault, seed)];
    case "failpoint":
      return [cut.under ? troubled(scenario.next(calm), cut.under, seed) : scenario.next()];
    // Before the loss, until the owner has confirmed what came back, and afterwards.
    case "lose":
      return lossActs(scenario);
    case "damage":
      return cut.part === "root" ? lossActs(scenario) : [scenario.next()];
    // Before and after the restore; some of it takes as long as a backup.
    case "restore":
      return [
        joined(scenario.next({ kind: "slow", count: 2, ...calm }), scenario.next({ count: 4, ...calm })),
        scenario.next({ count: 3, ...calm }),
      ];
    // With something that takes a while, so that time can jump meanwhile.
    case "clock":
      return [joined(scenario.next({ kind: "slow", count: 1, ...calm }), scenario.next())];
    case "disk":
      return [scenario.next(calm)];
    default:
      return [scenario.next()];
  }
}

const lossActs = (scenario: Scenario): [Act, ...Act[]] => [
  scenario.next(),
  scenario.next({ count: 4, ...calm }),
  scenario.next({ count: 3, ...calm }),
];

const joined = (first: Act, second: Act): Act => ({
  ...second,
  messages: [...first.messages, ...second.messages],
});
