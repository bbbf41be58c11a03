import type { ContextView } from "@pincer/sdk";
import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { contextTable } from "./context-table.ts";

const view: ContextView = {
  sessionKey: "agent:main:main",
  sessionId: null,
  agentId: "main",
  model: { provider: "p", id: "m" },
  window: { contextWindow: 32_000, maxTokens: 4000, flushAt: 8000, compactAt: 12_000, estimatedUsed: 8000 },
  parts: [
    { kind: "prompt", name: "identity", tokens: 50, why: "who it is" },
    { kind: "history", name: "history", tokens: 7950, why: "what was said", from: 2, to: 9, count: 8 },
  ],
  total: 8000,
};

const show = (found: ContextView, outIsTerminal = false, language: "en" | "zh" = "en") =>
  contextTable(found, { say: createSay(language), terminal: { outIsTerminal } });

it("tells each part, its size, why it is there, and what happens next", () => {
  expect(show(view).split("\n")).toEqual([
    "agent:main:main (nothing said yet), agent main, p/m",
    "",
    "part              tokens  why",
    "prompt: identity  50      who it is",
    "history: history  7,950   what was said (messages: 8, #2–#9)",
    "total             8,000",
    "",
    "Window: 8,000 of 32,000 tokens, 25% full; an answer may use 4,000.",
    "Above 8,000 tokens the assistant first takes notes of what must not be forgotten.",
    "Above 12,000 tokens the conversation is summarised.",
    "",
  ]);
  expect(show(view, false, "zh")).toContain("窗口：8,000 / 32,000 个 token，已用 25%");
});

it("draws how full it is at a terminal, and no more than full", () => {
  expect(show(view, true)).toContain(`[${"█".repeat(10)}${"·".repeat(30)}]`);
  expect(show({ ...view, total: 99_000 }, true)).toContain(`[${"█".repeat(40)}]`);
});

it("says that nothing is summed up by itself where that is off", () => {
  const off = { ...view, window: { ...view.window, flushAt: null, compactAt: null } };
  expect(show(off)).toContain("or /compact");
  expect(show(off)).not.toContain("writes down");
});

it("has one figure for what is sent, and says besides what it would be or how the provider counts it", () => {
  const over = { ...view, window: { ...view.window, estimatedUsed: 99_000 } };
  expect(show(over)).toContain("Window: 8,000 of 32,000 tokens, 25% full");
  expect(show(over)).toContain("By the provider's count: about 99,000 tokens.");
  const leftOut = { kind: "history", name: "left-out", tokens: 0, why: "no room" } as const;
  const fitted = show({ ...over, parts: [...view.parts, leftOut] });
  expect(fitted).toContain("Window: 8,000 of 32,000 tokens");
  expect(fitted).toContain("Without shortening: about 99,000 tokens.");
  expect(show(view)).not.toMatch(/shortening|provider/);
});
