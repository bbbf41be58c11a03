import type { UsageView } from "@pincer/sdk";
import { expect, it } from "vitest";
import { createSay } from "./texts.ts";
import { usageWords } from "./usage-words.ts";

it.each([
  [0, "This session: 0 calls, "],
  [1, "This session: 1 call, "],
  [2, "This session: 2 calls, "],
])("counts %i of them as people do", (calls, words) => {
  const none = { failures: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, unpriced: 0 };
  const session = { ...none, calls } as unknown as UsageView;
  expect(usageWords({ session }, "usage", createSay("en")).startsWith(words)).toBe(true);
});
