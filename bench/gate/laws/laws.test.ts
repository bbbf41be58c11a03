/** The laws on the product's gate, in the loop of a turn: they hold, and each is seen to fail when its rule is taken out. */
import { sample } from "fast-check";
import { describe, expect, it } from "vitest";
import { testSeed } from "../../../scripts/test-seed.ts";
import { brokenLaw, plainLaws, type LawName } from "./check-laws.ts";
import { openCoreGate } from "./core-gate.ts";
import type { Rule } from "./port.ts";
import { randomProgram } from "./random-program.ts";
import { runProgram, type Run } from "./run-program.ts";

const seed = testSeed;
/** They only reckon: on a machine that has other things to do they take as much longer. */
const patient = 180_000;

it(
  "effects, leaving, bits and canaries: the laws hold over a thousand random programs of a hijacked model",
  async () => {
    expect(await brokenLaw(openCoreGate, { runs: 1000, seed, only: plainLaws })).toBeUndefined();
  },
  patient,
);

it(
  "nobody outside can tell two runs apart that differ in a private text, but by what is counted",
  async () => {
    expect(await brokenLaw(openCoreGate, { runs: 100, seed, only: ["same-outside"] })).toBeUndefined();
  },
  patient,
);

describe("a law fails when its rule is taken out", () => {
  const fails: ReadonlyArray<[without: Rule, law: LawName]> = [
    ["grants", "grants"],
    ["leaving", "leaving"],
    ["bits", "bits"],
    ["labels", "leaving"],
    ["labels", "canaries"],
    ["planner-input", "canaries"],
  ];
  it.each(fails)(
    "without %s that of %s",
    async (without, law) => {
      const options = { runs: 3000, seed, without, only: [law], isUnshrunk: true };
      expect(await brokenLaw(openCoreGate, options)).toMatch(new RegExp(`^${law}: `));
    },
    patient,
  );
});

it(
  "random programs come to everything that the laws are about",
  async () => {
    const counts = new Map<string, number>();
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
    for (const program of sample(randomProgram, { numRuns: 500, seed })) {
      const run = await runProgram(openCoreGate, program);
      for (const what of eventsOf(run)) count(what);
    }
    const rare = [
      "an effect under a grant, from a guarded context, worded anew",
      "an effect under a grant, from a guarded context, as it stood",
      "an effect under a grant, from a clean context",
      "an effect with a yes",
      "an answer into the group",
      "a read of an address that stands there",
      "a read by a scout",
      "a planner asked",
    ];
    expect(rare.filter((what) => (counts.get(what) ?? 0) < 5)).toEqual([]);
  },
  patient,
);

function eventsOf({ turns, outside, inputs }: Run): string[] {
  return [
    ...inputs.map(({ kind }) => `a ${kind} asked`),
    ...outside.flatMap((event): string[] => {
      if (event.type === "search") return [];
      const call = turns[event.turn]?.calls[event.call];
      if (event.type === "read")
        return event.by === "scout"
          ? ["a read by a scout"]
          : call?.stands
            ? ["a read of an address that stands there"]
            : [];
      if (event.tool === "answer") return ["an answer into the group"];
      if (!call) return [];
      if (call.isApproved) return ["an effect with a yes"];
      const isGuarded = call.label.untrusted && call.label.sources.length > 0;
      if (!isGuarded) return ["an effect under a grant, from a clean context"];
      const isWorded = inputs.some(
        ({ kind, turn, call: index }) => kind === "writer" && turn === event.turn && index === event.call,
      );
      return [`an effect under a grant, from a guarded context, ${isWorded ? "worded anew" : "as it stood"}`];
    }),
  ];
}
