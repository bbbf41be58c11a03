import { expect, it } from "vitest";
import { measureContext } from "../bench/context.ts";
import { contextStrategies } from "../src/agent/prompt/prompt.ts";

it("DOC-04 a benchmark measures every context strategy, and requests after few and many turns", async () => {
  const few = { turns: [10, 40], rounds: 1, perRound: 3 };
  const { builds, liteIsCheaperBy, requests, growth } = await measureContext({
    rounds: 1,
    msPerRound: 5,
    requests: few,
  });
  const measured = new Map(builds.map(({ name, ...figures }) => [name, figures]));
  for (const strategy of contextStrategies)
    expect([...measured.keys()].some((name) => name.split(",")[0] === strategy)).toBe(true);
  for (const { nsPerBuild, tokens } of measured.values())
    expect([nsPerBuild > 0, tokens > 0]).toEqual([true, true]);

  const [full, kept, lite] = ["full, read from the disk", "full, kept", "lite"].map((name) =>
    measured.get(name),
  );
  expect(lite?.tokens).toBeLessThan((full?.tokens ?? 0) / 10);
  expect(kept?.nsPerBuild).toBeLessThan(full?.nsPerBuild ?? 0);
  expect(liteIsCheaperBy).toBe(Math.round((full?.nsPerBuild ?? 0) / (lite?.nsPerBuild ?? 1)));

  expect(requests.map(({ earlierTurns, isSummedUp }) => [earlierTurns, isSummedUp])).toEqual([
    [10, true],
    [40, true],
    [40, false],
  ]);
  // The same is shown after few turns and after many: a comparison of anything else would say nothing.
  expect(new Set(requests.filter((each) => each.isSummedUp).map(({ messages }) => messages)).size).toBe(1);
  expect(growth).toBeGreaterThan(0);
});
