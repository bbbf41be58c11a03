import { clean, type Origin } from "@pincer/sdk";
import { expect, it } from "vitest";
import type { CallContext } from "./call-context.ts";
import type { CallFacts } from "./call-facts.ts";
import { judgeCall, type JudgeParts } from "./judge-call.ts";

const inGroup: CallContext = {
  label: clean,
  shown: [],
  typed: ["what does notes.md say?"],
  said: [],
  earlierWords: [],
  isOwners: true,
  isGroup: true,
  seen: [],
  pages: [],
  earlier: [],
  earlierCalls: [],
};
const parts: JudgeParts = {
  grants: { coverage: async () => ({ type: "open", why: { type: "tool" } }), planned: async () => [] },
  owners: [],
  named: ["file:notes.md"],
  isConfirmed: async () => false,
  wasApproved: async () => false,
  isGiven: () => false,
  unseenChange: async () => "",
  holdsStoredSecret: () => false,
  judgeAddress: () => undefined,
  mayShow: () => true,
  judgeWrite: async () => undefined,
};
const codes = async (call: Partial<CallFacts>, context: CallContext = inGroup) => {
  const facts: CallFacts = { tool: "t", effect: "read", controls: {}, leaves: [], arguments: {}, ...call };
  return (await judgeCall(facts, context, parts)).findings.map(({ code }) => code);
};

it.each<[string, Partial<CallFacts>]>([
  ["a mailbox behind a tool", { looksAt: "tool", arguments: { id: "m1" } }],
  ["memory", { looksAt: "memory" }],
  ["another conversation", { looksAt: "session" }],
  [
    "a file that the words do not name",
    { looksAt: "file", controls: { path: "path" }, arguments: { path: "health.md" } },
  ],
  [
    "what a program prints",
    { looksAt: "program", effect: "act", controls: { command: "program" }, arguments: { command: "cat x" } },
  ],
])("SEC-02 where others read along, the owner is asked before %s is looked at", async (_, call) => {
  expect(await codes(call)).toEqual(["group-reads-along"]);
  expect(await codes(call, { ...inGroup, isGroup: false })).toEqual([]);
});

it.each<[string, Origin, object]>([
  ["a file that the words name", "file", { path: "./notes.md" }],
  ["a page", "web", { url: "https://news.example/" }],
  ["what our own code says", "system", {}],
])("SEC-02 %s is looked at in a group without a question", async (_, looksAt, given) => {
  const call = { looksAt, controls: { path: "path" }, arguments: { ...given } } as const;
  expect(await codes(call)).toEqual([]);
});
