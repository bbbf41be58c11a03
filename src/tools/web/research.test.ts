import type { Label, ToolCallContext } from "@pincer/sdk";
import { expect, it } from "vitest";
import { createResearchTool, type ScoutReport, type SendScout } from "./research.ts";

const call = (label?: Label, more: Partial<ToolCallContext> = {}): ToolCallContext => ({
  callId: "c1",
  sessionKey: "s",
  turnId: "r_1",
  signal: new AbortController().signal,
  ...(label && { contextLabel: async () => label }),
  ...more,
});
const input = { question: "what is new?", urls: ["https://news.example/"] };

function sending(report: ScoutReport = { text: "Nothing.", pages: ["https://news.example/"] }) {
  const errands: Array<Parameters<SendScout>[0]> = [];
  const tool = createResearchTool({
    send: async (errand) => {
      errands.push(errand);
      return report;
    },
  });
  return { tool, errands };
}

it.each<[string, Label | undefined, boolean]>([
  ["nobody else wrote in", { untrusted: false, sources: ["memory"] }, true],
  ["nothing private is in", { untrusted: true, sources: [] }, true],
  ["holds both", { untrusted: true, sources: ["memory"] }, false],
  ["nothing is known of", undefined, false],
])("SAFE-01 from a context that %s, a scout hears the question or not", async (_, label, isBriefed) => {
  const { tool, errands } = sending();
  const { text, details } = await tool.run(input, call(label));
  const errand = { turnId: "r_1", callId: "c1" };
  const brief = { ...input, isTainted: label?.untrusted };
  expect(errands).toEqual([isBriefed ? { ...errand, brief } : errand]);
  expect(details).toMatchObject({ isBriefed });
  expect(text.includes("was not passed on")).toBe(!isBriefed);
});

it("SEC-02 what a scout reports is somebody else's text, private to nobody, with the pages that it read", async () => {
  const { tool } = sending();
  const found = await tool.run(input, call({ untrusted: false, sources: [] }));
  expect(found.label).toEqual({ untrusted: true, sources: [] });
  expect(found.text).toMatch(/^\[Untrusted text from the web, through research/u);
  expect(found.text).toContain("Pages read:\nhttps://news.example/");
  expect(found.forUser).toBe("https://news.example/");
  expect(tool.resultOrigin).toBe("web");
});

it("works in a turn only", async () => {
  const { tool } = sending();
  const { turnId: _, ...byHand } = call();
  await expect(tool.run(input, byHand)).rejects.toThrow("in a conversation only");
  await expect(createResearchTool({ send: undefined }).run(input, call())).rejects.toThrow("conversation");
});
