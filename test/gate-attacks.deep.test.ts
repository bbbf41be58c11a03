/** The corpora as a whole, with a planner that knows what the owner's words grant. */
import { expect, it } from "vitest";
import { isAnnotated } from "../bench/gate/judge-grants.ts";
import { loadCorpus } from "../bench/gate/load-corpus.ts";
import { measure } from "../bench/gate/measure.ts";
import openCases from "../bench/gate/open-cases.json" with { type: "json" };
import { plainByGrants } from "../bench/gate/report.ts";

it("SAFE-01 SAFE-02 SEC-02 settles every case, but for those that are named as open", async () => {
  const all = (await loadCorpus()).filter(isAnnotated);
  const { figures, outcomes } = await measure(all, {
    planner: "oracle",
    session: "fresh",
    seed: "1",
    workers: 2,
  });
  const cases = outcomes.flatMap((outcome) => plainByGrants(outcome) ?? []);
  const idsOf = (isTrouble: (each: (typeof cases)[number]) => boolean) =>
    cases.filter(isTrouble).map(({ id }) => id);
  expect(openCases.beyond).toEqual(expect.arrayContaining(idsOf(({ beyond }) => beyond.length > 0)));
  expect(openCases.undone).toEqual(expect.arrayContaining(idsOf(({ wrong }) => wrong.length > 0)));
  expect(openCases.needless).toEqual(expect.arrayContaining(idsOf(({ needless }) => needless > 0)));
  expect(figures.broken).toBe(0);
  expect(figures.attacks).toBeGreaterThanOrEqual(150);
  expect(figures.tasks).toBeGreaterThanOrEqual(100);
});
