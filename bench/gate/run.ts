/** `npm run bench:gate`: what a hijacked model can do, and what an honest one is kept from, measured together. README.md tells how. */
import { parseArgs } from "node:util";
import { isAnnotated } from "./judge-grants.ts";
import { isWanted, loadCorpus } from "./load-corpus.ts";
import { measure, missedOf, sessionKinds, tableOf, type Measured } from "./measure.ts";
import { figureWords, idOf, isTrouble, plain, plainByGrants, told, toldByGrants } from "./report.ts";
import { addUp, missedBounds, runCases, type Outcome } from "./run-cases.ts";
import { plannerKinds, type PlannerKind } from "./scripted-planner.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    "prove-teeth": { type: "boolean", default: false },
    planner: { type: "string", multiple: true, default: [] },
    "lived-in": { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    corpus: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    workers: { type: "string", default: "2" },
  },
});
const print = (line: string) => void (values.json || process.stdout.write(`${line}\n`));

const isByGrants = values.planner.length > 0 || values["lived-in"];
const all = loadCorpus(values.corpus, { byGrants: isByGrants }).filter((each) => isWanted(each, values.only));
const provesTeeth = values["prove-teeth"];
const workers = Number(values.workers);
process.exitCode = (await run()) ? 1 : 0;

/** Whether it was bad. */
async function run(): Promise<boolean> {
  if (isByGrants) return measureGrants();
  const cases = provesTeeth ? all.filter(({ type }) => type === "attack") : all;
  const began = performance.now();
  const outcomes = await runCases(cases, {
    workers,
    ...(provesTeeth && { provenance: "off" }),
    onOutcome(outcome) {
      if (values.verbose) print(told(outcome, values.verbose));
    },
  });
  return provesTeeth ? reportTeeth(outcomes) : report(outcomes, (performance.now() - began) / 1000);
}

/** By the grants that the words give, for each planner, in a fresh session and after an earlier life. */
async function measureGrants(): Promise<boolean> {
  const bare = all.filter((each) => !isAnnotated(each));
  if (bare.length > 0)
    throw new Error(`these do not say what they grant: ${bare.map(({ id }) => id).join(", ")}`);
  const measured: Measured[] = [];
  for (const planner of plannersNamed())
    for (const session of sessionKinds.filter((kind) => kind === "fresh" || values["lived-in"])) {
      const each = await measure(all, { planner, session, seed: values.seed, workers });
      print(`# ${planner}, ${session}`);
      for (const outcome of each.outcomes) {
        const words = toldByGrants(outcome, values.verbose);
        if (words !== undefined) print(words);
      }
      measured.push(each);
    }
  const figures = measured.map((each) => each.figures);
  const missed = figures.flatMap(missedOf);
  print(tableOf(figures));
  for (const line of missed) print(`MISSED: ${line}`);
  if (values.json) {
    const details = measured.map(({ figures: { planner, session }, outcomes }) => ({
      planner,
      session,
      cases: outcomes.flatMap((outcome) => plainByGrants(outcome) ?? []),
    }));
    process.stdout.write(`${JSON.stringify({ seed: values.seed, figures, missed, details }, null, 2)}\n`);
  }
  return missed.length > 0;
}

function plannersNamed(): PlannerKind[] {
  if (values.planner.includes("all")) return [...plannerKinds];
  const wrong = values.planner.filter((name) => !plannerKinds.some((kind) => kind === name));
  if (wrong.length > 0)
    throw new Error(`--planner is one of ${plannerKinds.join(", ")} or all, not ${wrong.join(", ")}`);
  const named = plannerKinds.filter((kind) => values.planner.includes(kind));
  return named.length > 0 ? named : ["oracle"];
}

function report(played: readonly Outcome[], seconds: number): boolean {
  const figures = addUp(played);
  const missed = missedBounds(figures);
  for (const outcome of played)
    if (isTrouble(outcome) && !values.verbose) print(told(outcome, values.verbose));
  print(figureWords(figures));
  print(`${seconds.toFixed(1)} s`);
  for (const line of missed) print(`MISSED: ${line}`);
  if (values.json) {
    const details = played.filter(isTrouble).map(plain);
    process.stdout.write(`${JSON.stringify({ ...figures, seconds, missed, details }, null, 2)}\n`);
  }
  return missed.length > 0;
}

/** Attacks that come to nothing although nobody looks at where values come from, and do not say why. */
function reportTeeth(played: readonly Outcome[]): boolean {
  const harmless = played.filter(
    (outcome) => outcome.type === "attack" && !isTrouble(outcome) && outcome.attack.wall === undefined,
  );
  const walled = played.filter(
    (outcome) => outcome.type === "attack" && isTrouble(outcome) && outcome.attack.wall !== undefined,
  );
  const broken = played.filter(({ type }) => type === "broken");
  for (const outcome of [...harmless, ...walled, ...broken])
    if (!values.verbose) print(told(outcome, values.verbose));
  print(`${played.length} attacks without provenance: ${played.filter(isTrouble).length} do harm`);
  print(`prove nothing: ${harmless.map(idOf).join(", ") || "none"}`);
  print(`do harm behind the wall that they name: ${walled.map(idOf).join(", ") || "none"}`);
  const ids = { harmless: harmless.map(idOf), walled: walled.map(idOf), broken: broken.map(idOf) };
  if (values.json) process.stdout.write(`${JSON.stringify({ attacks: played.length, ...ids }, null, 2)}\n`);
  return harmless.length + broken.length > 0;
}
