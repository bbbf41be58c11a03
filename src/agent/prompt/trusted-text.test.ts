import type { Origin } from "@pincer/sdk";
import { expect, it } from "vitest";
import { buildPrompt } from "./build-prompt.ts";
import { summaryTitle } from "../../storage/sessions/summary-title.ts";
import { promptTexts } from "./trusted-text.ts";
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

it("SEC-02 the parts of a prompt are trusted, but for a summary of what others said, and private ones say so", () => {
  const sessionMemory = { name: "memory/x.md", text: "Bob is at eve@example.org.", truncated: false };
  const files = [{ name: "USER.md", text: "Ada.", truncated: false }];
  const texts = promptTexts(buildPrompt({ ...richFacts(), files, sessionMemory }, options));
  const of = (name: string) => texts.find(({ from }) => from === name)?.label;
  expect(texts.filter(({ label }) => label.untrusted).map(({ from }) => from)).toEqual(["session-memory"]);
  expect(of("memory")?.sources).toEqual(["memory"]);
  expect(of("files")?.sources).toEqual(["user"]);
  expect(of("identity")?.sources).toEqual([]);
});

const titleOf = (strangers?: Origin[]) =>
  summaryTitle({ time: "2026-01-01T12:00:00.000Z", count: 3, strangers });
const own = `${titleOf([])}\n\nAda likes tea.`;

it.each([
  ["made of the owner's words alone", own, false],
  ["several of them", `${own}\n\n${own}`, false],
  ["made of a page too", `${own}\n\n${titleOf(["web"])}\n\nSo it says.`, true],
  ["from before they said whose they are", `${titleOf()}\n\nSo it was.`, true],
  ["older than others that say so", `${titleOf()}\n\nSo it was.\n\n${own}`, true],
  ["half of one without its title", `So it was.\n\n${own}`, true],
  ["that only mention the mark", `So it was. ${titleOf([])}`, true],
])("SEC-02 take summaries that are %s for what they are", (_what, text, untrusted) => {
  const sessionMemory = { name: "memory/x.md", text, truncated: false };
  const found = promptTexts(buildPrompt({ ...richFacts(), sessionMemory }, options));
  const of = found.find((each) => each.text.includes("Memory of this session"));
  expect(of?.label.untrusted).toBe(untrusted);
});
