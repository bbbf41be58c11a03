import { describe, expect, it } from "vitest";
import { isAnswered } from "./is-answered.ts";
import type { Spot } from "./rank-lines.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

const term = (more: Partial<WeighedTerm> = {}): WeighedTerm => ({
  stem: "word",
  forms: [{ stem: "word", share: 1, lines: 1 }],
  weight: 1,
  isName: false,
  isProper: false,
  isIdentifier: false,
  isAsking: false,
  isPair: false,
  ...more,
});
const spot = (covered: number, isExact = false): Spot => ({
  sourceId: 1,
  position: 0,
  score: 1,
  covered,
  isExact,
});
const unknown = { forms: [] };

describe("whether a question is answered", () => {
  it("needs a quarter of what the words weigh", () => {
    expect(isAnswered([spot(0.24)], [term()])).toBe(false);
    expect(isAnswered([spot(0.1), spot(0.26)], [term()])).toBe(true);
    expect(isAnswered([], [term()])).toBe(false);
  });

  it("needs more where somebody is named who is nowhere, and little where they are known", () => {
    const stranger = term({ ...unknown, isProper: true });
    expect(isAnswered([spot(0.35)], [term(), stranger])).toBe(false);
    expect(isAnswered([spot(0.45)], [term(), stranger])).toBe(true);
    expect(isAnswered([spot(0.06)], [term({ isName: true }), term()])).toBe(true);
  });

  it("forgives pairs of characters that reach over the end of a word", () => {
    const loose = term({ ...unknown, isPair: true });
    expect(isAnswered([spot(0.2)], [term({ isPair: true }), loose, loose])).toBe(true);
    expect(isAnswered([spot(0.2)], [term(), term(unknown), term(unknown)])).toBe(false);
  });

  it("MEM-10 is content with an identifier", () => {
    expect(isAnswered([spot(0.01, true)], [term({ isIdentifier: true }), term(unknown)])).toBe(true);
  });
});
