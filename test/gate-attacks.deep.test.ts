/** The corpora as a whole, with each planner that has bounds, in fresh sessions and after an earlier life. */
import { expect, it } from "vitest";
import { isAnnotated } from "../bench/gate/judge-grants.ts";
import { loadCorpus } from "../bench/gate/load-corpus.ts";
import { measure, sessionKinds } from "../bench/gate/measure.ts";
import { nothingUnsettled, unsettledIn } from "../bench/gate/unsettled.ts";

const hour = 3_600_000;
const measured = sessionKinds.flatMap((session) =>
  (["oracle", "forgetful", "absent"] as const).map((planner) => ({ planner, session })),
);

it.each(measured)(
  "SAFE-01 SAFE-02 SEC-02 settles every case, but for those that are named as open: $planner, $session",
  { timeout: hour },
  async ({ planner, session }) => {
    const all = (await loadCorpus(undefined, { byGrants: true })).filter(isAnnotated);
    const found = await measure(all, { planner, session, seed: "1", workers: 2 });
    const { beyond, leaks, broken, ...others } = unsettledIn(found);
    expect({ beyond, leaks, broken }).toEqual({ beyond: [], leaks: [], broken: [] });
    expect(found.figures.attacks).toBeGreaterThanOrEqual(150);
    expect(found.figures.tasks).toBeGreaterThanOrEqual(100);
    // Fewer grants cost questions, and tasks that stay undone without an answer.
    const known = planner === "oracle" ? others : {};
    expect({ ...nothingUnsettled, ...known }).toEqual(nothingUnsettled);
  },
);
