/**
 * One series: a home, a network, and one life of the product after the other, each cut short in its own way. Each life first heals
 * what the last cut left; at the end one is allowed to finish, and everything is judged together.
 */
import { mkdir } from "node:fs/promises";
import { checkLedger, type Verdict } from "./check-ledger.ts";
import { formatCut, type Cut } from "./cut.ts";
import type { PointCount } from "./lives.ts";
import { findFlaws, makeProveHome, readEffects } from "./prove-home.ts";
import { createScenario, troubled, type Act, type Scenario } from "./scenario.ts";
import { openStage, type StageParts, type StageWishes } from "./stage.ts";

export interface SeriesPlan extends StageWishes {
  seed: number;
  cuts: Cut[];
}

export interface SeriesParts extends Omit<StageParts, "place"> {
  /** Empty or not there; what is left in it is the caller's to remove. */
  directory: string;
  repeatMark: string;
  /** What the product says to people who wait, which answers nothing. */
  waitingLines?: readonly string[] | undefined;
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
      const act = actFor(scenario, cut, plan.seed + index);
      if (await stage.live(cut, act)) outcome.reached.push(formatCut(cut));
      outcome.runs++;
      parts.onRun?.();
      if (stage.isStuck()) break;
    }
    if (!stage.isStuck()) await stage.finish();
  } finally {
    await stage.close();
  }
  parts.signal.throwIfAborted();
  const verdict = checkLedger({
    messages: network.ledger.messages,
    isAcknowledged: network.ledger.isAcknowledged,
    seen: network.ledger.seen,
    effects: await readEffects(place.directory),
    flaws: [...stage.flaws, ...(await findFlaws(place.home, stage.isStuck() ? "cut-short" : "finished"))],
    repeatMark: parts.repeatMark,
    ...(parts.waitingLines && { waitingLines: parts.waitingLines }),
  });
  return { plan, ...outcome, verdict, counts: stage.counts };
}

function actFor(scenario: Scenario, cut: Cut, seed: number): Act {
  if (cut.type === "poison") return scenario.next({ kind: "poison", count: 1, calm: true });
  if (cut.type === "hostile") return troubled(scenario.next({ count: 8, calm: true }), cut.fault, seed);
  if (cut.type === "failpoint" && cut.under) return troubled(scenario.next({ calm: true }), cut.under, seed);
  return scenario.next();
}
