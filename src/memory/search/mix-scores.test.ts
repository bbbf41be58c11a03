import { describe, expect, it } from "vitest";
import { mixScores } from "./mix-scores.ts";

const vectors = (strength: "strong" | "weak", scores: Record<number, number>) => ({
  strength,
  scores: () => new Map(Object.entries(scores).map(([lineId, score]) => [Number(lineId), score])),
});

describe("words and meaning in one score", () => {
  it("MEM-09 is wv·vector + wt·text", () => {
    const lines = [
      { lineId: 1, text: 0.6 },
      { lineId: 2, text: 0.3 },
      { lineId: 3, text: 0 },
    ];
    // From 0.3 to 1 the second is 0.8 of the way; what is below has nothing to do with the question.
    const near = vectors("weak", { 1: 0.9, 2: 0.86, 3: 0.1 });
    const [, second, third] = mixScores(lines, near, { vector: 0.7, text: 0.3 });
    expect(second).toBeCloseTo(0.7 * 0.8 + 0.3 * 0.3);
    expect(third).toBe(0);
    expect(mixScores(lines, near, { vector: 0, text: 0 })).toEqual([0, 0, 0]);
  });

  it("MEM-09 trusts a strong embedder over words, and a weak one less", () => {
    const lines = [
      { lineId: 1, text: 1 },
      { lineId: 2, text: 0 },
    ];
    const near = { 1: 0.2, 2: 1 };
    expect(mixScores(lines, vectors("strong", near))).toEqual([expect.closeTo(0.3), expect.closeTo(0.7)]);
    expect(mixScores(lines, vectors("weak", near))).toEqual([expect.closeTo(0.7), expect.closeTo(0.3)]);
    expect(mixScores(lines, vectors("weak", near), { vector: 1, text: 0 })).toEqual([0, 1]);
  });

  it("does not hold a line to be far away because it has no vector yet", () => {
    const lines = [
      { lineId: 1, text: 0.8 },
      { lineId: 2, text: 0.4 },
      { lineId: 3, text: 0 },
    ];
    const [first = 0] = mixScores(lines, vectors("strong", { 2: 0.1, 3: 0.5 }));
    expect(first).toBeCloseTo(0.8);
  });

  it("MEM-09 keeps lines that are near by meaning alone near each other", () => {
    const lines = [
      { lineId: 1, text: 0 },
      { lineId: 2, text: 0 },
    ];
    const [first = 0, second = 0] = mixScores(lines, vectors("strong", { 1: 0.95, 2: 0.93 }));
    expect(first).toBeGreaterThan(second);
    expect(second).toBeGreaterThan(first * 0.95);
  });

  it("stands lines without any score", () => {
    expect(mixScores([{ lineId: 1, text: 0 }], vectors("weak", {}))).toEqual([0]);
    expect(mixScores([], vectors("weak", {}))).toEqual([]);
  });
});
