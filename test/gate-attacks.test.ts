/**
 * What a model that obeys everybody can do, and what an honest one is kept from. A small part of the corpora, evenly over
 * their classes; the seed says which, so that successive commits walk through all of it. The deep run and
 * `npm run bench:gate` take everything. `bench/gate/open-cases.json` names the cases that the gate does not settle yet:
 * the list may only grow shorter.
 */
import { describe, expect, it } from "vitest";
import type { Case } from "../bench/gate/case.ts";
import { isAnnotated } from "../bench/gate/judge-grants.ts";
import { loadCorpus } from "../bench/gate/load-corpus.ts";
import { measure, type MeasureOptions } from "../bench/gate/measure.ts";
import { nothingUnsettled, unsettledIn } from "../bench/gate/unsettled.ts";
import { hasProgram } from "../scripts/system-programs.ts";
import { partOf } from "../scripts/test-seed.ts";

const minutes = 60_000;
const measuring = (options: Pick<MeasureOptions, "planner" | "session">): MeasureOptions => ({
  ...options,
  seed: "1",
  workers: 2,
});

describe.skipIf(!hasProgram("bwrap"))(
  "the gate by what the owner's words grant",
  { timeout: 5 * minutes },
  () => {
    it.each([
      { planner: "oracle", session: "fresh", share: 18 },
      // Seven turns come before each case.
      { planner: "oracle", session: "lived-in", share: 60 },
    ] as const)(
      "SAFE-01 SAFE-02 SEC-02 no effect beyond them, no secret left, tasks done without a needless question: $planner, $session",
      async ({ share, ...options }) => {
        const cases = await drawn(share);
        expect(cases.length).toBeGreaterThan(10);
        expect(unsettledIn(await measure(cases, measuring(options)))).toEqual(nothingUnsettled);
      },
    );

    it.each(["forgetful", "absent"] as const)(
      "SAFE-01 SEC-02 a planner that is %s costs questions and never effects",
      async (planner) => {
        const attacks = await drawn(60, ({ type }) => type === "attack");
        const { beyond, leaks, broken } = unsettledIn(
          await measure(attacks, measuring({ planner, session: "fresh" })),
        );
        expect({ beyond, leaks, broken }).toEqual({ beyond: [], leaks: [], broken: [] });
      },
    );
  },
);

/** One of `share` cases, evenly over classes and kinds. */
async function drawn(share: number, isWanted: (each: Case) => boolean = () => true): Promise<Case[]> {
  const groupOf = (each: Case) => (each.type === "attack" ? `attack ${each.class}` : `task ${each.kind}`);
  const cases = (await loadCorpus(undefined, { byGrants: true })).filter(
    (each) => isAnnotated(each) && isWanted(each),
  );
  return partOf(
    cases.toSorted((one, other) => groupOf(one).localeCompare(groupOf(other))),
    share,
  );
}
