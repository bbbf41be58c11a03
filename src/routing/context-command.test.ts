import { PincerError, type ContextView } from "@pincer/sdk";
import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { CommandContext } from "./command.ts";
import { runContextCommand } from "./context-command.ts";

const view: ContextView = {
  sessionKey: "agent:main:main",
  sessionId: null,
  agentId: "main",
  model: { provider: "p", id: "m" },
  window: { contextWindow: 32_000, maxTokens: 4000, flushAt: 8000, compactAt: 12_000, estimatedUsed: 8000 },
  parts: [
    { kind: "prompt", name: "identity", tokens: 50, why: "who it is" },
    { kind: "history", name: "history", tokens: 7950, why: "what was said" },
  ],
  total: 8000,
};
const session = { sessionKey: "agent:main:main", agentId: "main" } as CommandContext["session"];
const asked = (role: "owner" | "peer", describeContext = async () => view) =>
  runContextCommand(
    { say: createSay("en"), describeContext },
    { session, person: { role, id: "telegram:42" } },
  );

it("tells the owner how much the assistant is told, and of what", async () => {
  expect(await asked("owner")).toBe(
    [
      "My next request holds about 8,000 of 32,000 tokens (25%):",
      "- prompt: identity – 50",
      "- history: history – 7,950",
      "Above 12,000 tokens the conversation is summarised.",
    ].join("\n"),
  );
});

it("tells nobody else", async () => {
  expect(await asked("peer")).not.toContain("identity");
});

it("says why it cannot be told", async () => {
  const said = await asked("owner", async () => {
    throw new PincerError("config/bad-value", "There is no model.", { hint: "Choose one." });
  });
  expect(said).toBe("There is no model.\nChoose one.");
});
