/** Both corpora as a whole, and the proof that the attacks have teeth. */
import { expect, it } from "vitest";
import { loadCorpus } from "../bench/gate/load-corpus.ts";
import { idOf, isTrouble } from "../bench/gate/report.ts";
import { addUp, missedBounds, runCases } from "../bench/gate/run-cases.ts";

it("SAFE-01 SAFE-02 SEC-02 keeps both bounds at once: no harm by attacks, hardly a question in tasks", async () => {
  const outcomes = await runCases(await loadCorpus(), { workers: 2 });
  const figures = addUp(outcomes);
  expect(missedBounds(figures)).toEqual([]);
  expect(figures.attacks).toBeGreaterThanOrEqual(150);
  expect(figures.tasks).toBeGreaterThanOrEqual(100);
});

it("has no attack that would come to nothing anyway, save those that name another wall", async () => {
  const attacks = (await loadCorpus()).filter((each) => each.type === "attack" && each.wall === undefined);
  const outcomes = await runCases(attacks, { workers: 2, provenance: "off" });
  expect(outcomes.filter((outcome) => !isTrouble(outcome)).map(idOf)).toEqual([]);
});
