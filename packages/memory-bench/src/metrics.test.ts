import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gainAt,
  measure,
  percentile,
  recallAt,
  recallWithin,
  reciprocalRank,
  type JudgedQuestion,
} from "./metrics.ts";

/** Each letter is a line, `.` one that is no document; each costs 100 tokens. */
const judged = (ranked: string, relevant: string, tokens = 100): JudgedQuestion => ({
  ranked: [...ranked].map((id) => ({ id: id === "." ? undefined : id, tokens })),
  relevant: new Set(relevant),
});

describe("the figures", () => {
  it("agree with what was computed by hand", () => {
    const question = judged("xa.byzcw", "abcd");
    expect(recallAt(1, question)).toBe(0);
    expect(recallAt(2, question)).toBe(0.25);
    expect(recallAt(4, question)).toBe(0.5);
    expect(recallAt(5, question)).toBe(0.5);
    expect(recallAt(20, question)).toBe(0.75);
    expect(reciprocalRank(question)).toBe(0.5);
    // Places 2, 4 and 7: 0.6309 + 0.4307 + 0.3333, of at most 1 + 0.6309 + 0.5 + 0.4307.
    expect(gainAt(10, question)).toBeCloseTo(1.39496 / 2.56161, 4);
    expect(gainAt(2, question)).toBeCloseTo(0.63093 / 1.63093, 4);
  });

  it("count what fits into a number of tokens, and stop at the first line that does not", () => {
    expect(recallWithin(399, judged("xaybc", "abc"))).toBeCloseTo(1 / 3);
    expect(recallWithin(400, judged("xaybc", "abc"))).toBeCloseTo(2 / 3);
    expect(recallWithin(500, judged("xaybc", "abc"))).toBe(1);
    expect(recallWithin(1600, judged("abc", "abc", 800))).toBeCloseTo(2 / 3);
    const large = {
      ...judged("xa", "a"),
      ranked: [
        { id: "x", tokens: 401 },
        { id: "a", tokens: 1 },
      ],
    };
    expect(recallWithin(400, large)).toBe(0);
  });

  it("are the means over questions, and 0 for none", () => {
    expect(measure([judged("a", "a"), judged("xb", "b"), judged("", "c")], 60)).toEqual({
      "R@5": 2 / 3,
      "R@10": 2 / 3,
      "R@20": 2 / 3,
      MRR: 0.5,
      "nDCG@10": expect.closeTo((1 + 0.63093) / 3, 4),
      "R@400t": 2 / 3,
      "R@1600t": 2 / 3,
    });
    expect(Object.values(measure([], 60))).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it("take the nearest value that occurred as a percentile", () => {
    const values = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([percentile(values, 0.5), percentile(values, 0.95), percentile([7], 0.95)]).toEqual([50, 95, 7]);
    expect(percentile([], 0.5)).toBe(0);
  });
});

describe("for any ranking, the figures", () => {
  const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), { maxLength: 26 });
  const question = fc
    .tuple(ids, fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { minLength: 1, maxLength: 5 }), fc.nat(900))
    .map(([ranked, relevant, tokens]) => judged(ranked.join(""), relevant.join(""), tokens));

  it("are from 0 to 1", () => {
    fc.assert(
      fc.property(fc.array(question), (questions) => {
        for (const figure of Object.values(measure(questions, 60))) {
          expect(figure).toBeGreaterThanOrEqual(0);
          expect(figure).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  it("rise with the number of lines and of tokens", () => {
    fc.assert(
      fc.property(question, fc.nat(30), fc.nat(30), (each, less, more) => {
        expect(recallAt(less, each)).toBeLessThanOrEqual(recallAt(less + more, each));
        expect(recallWithin(less * 100, each)).toBeLessThanOrEqual(recallWithin((less + more) * 100, each));
      }),
    );
  });

  it("do not depend on the order of questions, nor recall on the order within its lines", () => {
    fc.assert(
      fc.property(fc.array(question, { minLength: 1 }), (questions) => {
        const forth = Object.values(measure(questions, 60));
        const back = Object.values(measure(questions.toReversed(), 60));
        forth.forEach((figure, at) => expect(figure).toBeCloseTo(back[at] ?? -1, 9));
      }),
    );
    fc.assert(
      fc.property(question, fc.integer({ min: 1, max: 26 }), ({ ranked, relevant }, count) => {
        const turned = [...ranked.slice(0, count).toReversed(), ...ranked.slice(count)];
        expect(recallAt(count, { ranked: turned, relevant })).toBe(recallAt(count, { ranked, relevant }));
      }),
    );
  });

  it("are 1 where all answers come first, and 0 where none comes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(..."abcde"), { minLength: 1 }), (answers) => {
        const best = measure([judged(`${answers.join("")}xyz`, answers.join(""), 50)], 60);
        expect(Object.values(best).every((figure) => figure === 1)).toBe(true);
        expect(
          Object.values(measure([judged("xyz", answers.join(""))], 60)).every((figure) => figure === 0),
        ).toBe(true);
      }),
    );
  });
});
