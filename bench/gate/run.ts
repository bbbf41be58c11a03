/** `npm run bench:gate`: what a hijacked model can do, and what an honest one is kept from, measured together. README.md tells how. */
import { parseArgs } from "node:util";
import { isWanted, loadCorpus } from "./load-corpus.ts";
import { figureWords, idOf, isTrouble, plain, told } from "./report.ts";
import { addUp, missedBounds, runCases, type Outcome } from "./run-cases.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    "prove-teeth": { type: "boolean", default: false },
    corpus: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    workers: { type: "string", default: "2" },
  },
});
const print = (line: string) => void (values.json || process.stdout.write(`${line}\n`));

const all = loadCorpus(values.corpus).filter((each) => isWanted(each, values.only));
const provesTeeth = values["prove-teeth"];
const cases = provesTeeth ? all.filter(({ type }) => type === "attack") : all;
const began = performance.now();
const outcomes = await runCases(cases, {
  workers: Number(values.workers),
  ...(provesTeeth && { provenance: "off" }),
  onOutcome(outcome) {
    if (values.verbose) print(told(outcome, values.verbose));
  },
});
const seconds = (performance.now() - began) / 1000;
const isBad = provesTeeth ? reportTeeth(outcomes) : report(outcomes);
process.exitCode = isBad ? 1 : 0;

function report(played: readonly Outcome[]): boolean {
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
