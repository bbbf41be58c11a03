import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layContext } from "./context-parts.ts";

const part = (name: string, tokens: number) => ({ kind: "prompt" as const, name, tokens, why: "" });
const window = {
  contextWindow: 1000,
  maxTokens: 100,
  flushAt: 700,
  compactAt: null,
  estimatedUsed: 300,
};

describe("the bar of a request", () => {
  it("UI-01 shows each part with its share of the window, what is free, and where something happens", () => {
    const { slices, marks, used } = layContext({
      parts: [part("rules", 100), part("nothing", 0), part("history", 200)],
      total: 300,
      window,
    });
    expect(slices.map(({ name, from, width }) => [name, from, width])).toEqual([
      ["rules", 0, 10],
      ["history", 10, 20],
      ["", 30, 70],
    ]);
    expect(marks).toEqual([{ name: "flushAt", tokens: 700, at: 70 }]);
    expect(used).toBe(30);
  });

  it("always fills the bar exactly, also where the request does not fit", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { maxLength: 20 }), fc.nat(5000), (sizes, contextWindow) => {
        const parts = sizes.map((tokens, index) => part(`${index}`, tokens));
        const total = sizes.reduce((sum, tokens) => sum + tokens, 0);
        const { slices } = layContext({ parts, total, window: { ...window, contextWindow } });
        const filled = slices.reduce((sum, { width }) => sum + width, 0);
        expect(filled).toBeCloseTo(100, 6);
        expect(slices.every(({ from }, index) => Math.abs(from - sumBefore(slices, index)) < 1e-6)).toBe(
          true,
        );
      }),
    );
  });
});

const sumBefore = (slices: Array<{ width: number }>, index: number): number =>
  slices.slice(0, index).reduce((sum, { width }) => sum + width, 0);
