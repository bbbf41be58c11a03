import { describe, expect, it } from "vitest";
import { rankLines, type FoundLine } from "./rank-lines.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

const term = (weight: number, more: Partial<WeighedTerm> = {}): WeighedTerm => ({
  stem: "",
  isAsking: false,
  forms: [],
  weight,
  isName: false,
  isProper: false,
  isIdentifier: false,
  isPair: false,
  ...more,
});
const line = (position: number, terms: number[], more: Partial<FoundLine> = {}): FoundLine => ({
  lineId: position + 1,
  sourceId: 1,
  position,
  bytes: 120,
  asks: false,
  matches: terms.map((each) => ({ term: each, times: 1, share: 1 })),
  ...more,
});
const order = (lines: FoundLine[], terms: WeighedTerm[]) =>
  rankLines(lines, terms, 100).map(({ sourceId, position }) => `${sourceId}:${position}`);

describe("ranking lines", () => {
  it("gives 1 to a line that has every term, and less with every step away from it", () => {
    const spots = rankLines([line(10, [0, 1])], [term(2), term(3)], 100);
    expect(spots[0]).toMatchObject({ position: 10, score: expect.closeTo(1), covered: expect.closeTo(1) });
    expect(spots.slice(0, 5).map(({ position }) => position)).toEqual([10, 11, 9, 12, 8]);
    expect(spots).toHaveLength(11);
  });

  it("finds the line between two that have a part each", () => {
    const [best] = order([line(10, [0]), line(12, [1])], [term(2), term(2)]);
    expect(["1:10", "1:11", "1:12"]).toContain(best);
    const spots = rankLines([line(10, [0]), line(12, [1])], [term(2), term(2)], 100);
    expect(spots.find(({ position }) => position === 11)?.covered).toBeGreaterThan(0.5);
  });

  it("puts the answer before the question that was asked for it", () => {
    expect(order([line(10, [0], { asks: true })], [term(2)]).slice(0, 2)).toEqual(["1:11", "1:10"]);
  });

  it("puts the rare term before the common one, and the source that has both before all", () => {
    const lines = [
      line(5, [0]),
      line(5, [1], { sourceId: 2 }),
      line(5, [0]),
      line(30, [0], { sourceId: 3 }),
      line(80, [1], { sourceId: 3 }),
    ];
    expect(order(lines, [term(1), term(4)]).slice(0, 2)).toEqual(["3:80", "2:5"]);
  });

  it("MEM-10 puts lines with an identifier first, and counts them in full where they ask", () => {
    const lines = [line(0, [1, 2]), line(50, [0], { asks: true })];
    expect(order(lines, [term(1, { isIdentifier: true }), term(9), term(9)])[0]).toBe("1:50");
  });

  it("gives no places before the beginning, and no more than asked for", () => {
    expect(rankLines([line(1, [0])], [term(1)], 100).every(({ position }) => position >= 0)).toBe(true);
    expect(rankLines([line(1, [0])], [term(1)], 3)).toHaveLength(3);
    expect(rankLines([], [], 3)).toEqual([]);
  });
});
