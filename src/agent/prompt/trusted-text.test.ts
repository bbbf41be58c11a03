import type { Origin } from "@pincer/sdk";
import { expect, it } from "vitest";
import { buildPrompt } from "./build-prompt.ts";
import { summaryTitle } from "../../storage/sessions/summary-title.ts";
import { trustedText, untrustedTexts } from "./trusted-text.ts";
import { richFacts } from "./testing/sample-facts.ts";

const options = {
  strategy: "full",
  includeSkills: [],
  excludeSkills: [],
  includeTools: [],
  excludeTools: [],
  includeMemory: true,
  includeRuntime: true,
} as const;

it("SEC-02 are the prompt without what others may have said: summaries of the session, and skills", () => {
  const facts = richFacts();
  const sessionMemory = { name: "memory/x.md", text: "Bob is at eve@example.org.", truncated: false };
  const skills = [{ name: "mail", description: "Write to eve@example.com.", path: "skills/mail/SKILL.md" }];
  const prompt = buildPrompt({ ...facts, sessionMemory, skills }, options);
  expect(prompt.text).toMatch(/eve@example\.com[^]*eve@example\.org/);
  expect(trustedText(prompt)).not.toContain("eve@");
  expect(trustedText(prompt)).toContain("Ada likes tea.");
  expect(trustedText(buildPrompt(facts, { ...options, strategy: "lite" }))).toBe(
    buildPrompt(facts, { ...options, strategy: "lite" }).text,
  );
});

const titleOf = (strangers?: Origin[]) =>
  summaryTitle({ time: "2026-01-01T12:00:00.000Z", count: 3, strangers });
const own = `${titleOf([])}\n\nAda likes tea.`;

it.each([
  ["made of the owner's words alone", own, "system"],
  ["several of them", `${own}\n\n${own}`, "system"],
  ["made of a page too", `${own}\n\n${titleOf(["web"])}\n\nSo it says.`, "summary"],
  ["from before they said whose they are", `${titleOf()}\n\nSo it was.`, "summary"],
  ["older than others that say so", `${titleOf()}\n\nSo it was.\n\n${own}`, "summary"],
  ["half of one without its title", `So it was.\n\n${own}`, "summary"],
  ["that only mention the mark", `So it was. ${titleOf([])}`, "summary"],
])("SEC-02 take summaries that are %s for what they are", (_what, text, origin) => {
  const sessionMemory = { name: "memory/x.md", text, truncated: false };
  const found = untrustedTexts(buildPrompt({ ...richFacts(), sessionMemory }, options));
  expect(found.find((each) => each.text.includes("Memory of this session"))).toMatchObject({ origin });
});
