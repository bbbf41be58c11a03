import { describe, expect, it } from "vitest";
import { question } from "./testing/ask-wire.ts";
import { costOf, estimateInput, estimateUsage } from "./usage.ts";

const price = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 3 };
const tiers = [
  { inputTokensAbove: 200_000, input: 4, output: 20, cacheRead: 1, cacheWrite: 6 },
  { inputTokensAbove: 100_000, input: 3, output: 15, cacheRead: 1, cacheWrite: 4 },
];

describe("what an answer costs", () => {
  it("MODEL-08 is the sum of its tokens at their prices", () => {
    const counts = { input: 1000, output: 100, cacheRead: 5000, cacheWrite: 200 };
    expect(costOf(price, counts)).toBeCloseTo((2000 + 1000 + 2500 + 600) / 1e6, 12);
  });

  it.each([
    [100_000, 2],
    [100_001, 3],
    [200_000, 3],
    [200_001, 4],
  ])("MODEL-08 takes the tier that %i tokens reach, for the whole request", (input, rate) => {
    const counts = { input, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(costOf({ ...price, tiers }, counts)).toBeCloseTo((input * rate) / 1e6, 9);
  });

  it("MODEL-05 counts each image of a question for as much", () => {
    const image = { type: "image" as const, mimeType: "image/png", media: "m_1" };
    const asked = (content: Array<typeof image>) =>
      estimateInput(question({ systemPrompt: "", messages: [{ role: "user", content }], tools: [] }));
    expect([asked([]), asked([image]), asked([image, image])]).toEqual([0, 1200, 2400]);
  });

  it("MODEL-05 counts a question anew when its tools or its prompt are others, though the schemas are the same", () => {
    const parameters = { type: "object" };
    const asked = (name: string, description: string, systemPrompt: string) =>
      estimateInput({ systemPrompt, messages: [], tools: [{ name, description, parameters }] });
    const least = asked("n", "d", "");
    expect(asked("n".repeat(41), "d", "")).toBe(least + 10);
    expect(asked("n", "d".repeat(41), "")).toBe(least + 10);
    expect(asked("n", "d", "x".repeat(40))).toBe(least + 10);
    expect(asked("n", "d", "y".repeat(80))).toBe(least + 20);
    expect(asked("n", "d", "")).toBe(least);
  });

  it("MODEL-08 is estimated from bytes where nothing was told, and from what was told where something was", () => {
    const request = question({ systemPrompt: "é".repeat(100), messages: [] });
    expect(estimateInput(request)).toBe(50);
    const said = [{ type: "text" as const, text: "x".repeat(80) }];
    expect(estimateUsage(price, request, { said })).toMatchObject({
      input: 50,
      output: 20,
      total: 70,
      estimated: true,
    });
    const told = { input: 7, output: 1, cacheRead: 90, cacheWrite: 0 };
    expect(estimateUsage(price, request, { said, told })).toMatchObject({
      input: 7,
      output: 20,
      cacheRead: 90,
      total: 117,
    });
  });
});
